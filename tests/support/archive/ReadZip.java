import java.io.BufferedInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** Reads a ZIP stream from standard input, verifies its checksums, and prints the number of entries and bytes. */
class ReadZip {
  public static void main(String[] none) throws Exception {
    long entries = 0;
    long bytes = 0;
    byte[] buffer = new byte[1 << 16];
    try (ZipInputStream zip = new ZipInputStream(new BufferedInputStream(System.in, 1 << 16))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry(), entries++) {
        for (int some = zip.read(buffer); some >= 0; some = zip.read(buffer)) bytes += some;
      }
    }
    System.out.println(entries + " " + bytes);
  }
}
