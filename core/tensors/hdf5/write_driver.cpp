#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <exception>
#include <limits>
#include <map>
#include <new>
#include <span>
#include <sys/stat.h>
#include <tuple>
#include <unistd.h>

#include <H5FDpublic.h>
#include <H5Fpublic.h>
#include <H5Ppublic.h>

#include "core/base/files/file_descriptor.h"
#include "core/tensors/hdf5/files.h"

namespace ulp::tensors {
namespace {

constexpr haddr_t kPageBytes = 4096;
constexpr haddr_t kLargestAddress = std::numeric_limits<off_t>::max();

/// What a file access list carries for the driver.
struct DriverInfo {
  int fd;
  WriteHealth* health;
};

/// The base holds what HDF5 notes about a file; it fills that in itself.
struct WrittenFile : H5FD_t {
  int fd = -1;  ///< of the writer
  haddr_t endOfAllocation = 0;
  haddr_t endOfFile = 0;
  dev_t device = 0;
  ino_t inode = 0;
  WriteHealth* health = nullptr;
  /// Pages with metadata that did not reach the disk, by number.
  std::map<haddr_t, std::array<std::byte, kPageBytes>> kept;
};

WrittenFile& fileOf(H5FD_t* file) {
  return *static_cast<WrittenFile*>(file);
}

const WrittenFile& fileOf(const H5FD_t* file) {
  return *static_cast<const WrittenFile*>(file);
}

/// Beyond the end of the file are zeros, as in a file that was extended.
bool readAll(int fd, std::span<std::byte> bytes, haddr_t address) {
  while (!bytes.empty()) {
    const ssize_t count = ::pread(fd, bytes.data(), bytes.size(), static_cast<off_t>(address));
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0) {
      return false;
    }
    if (count == 0) {
      std::fill(bytes.begin(), bytes.end(), std::byte{0});
      return true;
    }
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    address += static_cast<haddr_t>(count);
  }
  return true;
}

/// Calls one(page number, offset within it, offset within the range, bytes) for each page that a
/// range touches.
template <class One>
void eachPage(haddr_t address, std::size_t size, const One& one) {
  for (std::size_t done = 0; done < size;) {
    const haddr_t within = (address + done) % kPageBytes;
    const auto bytes =
        static_cast<std::size_t>(std::min<haddr_t>(kPageBytes - within, size - done));
    one((address + done) / kPageBytes, static_cast<std::size_t>(within), done, bytes);
    done += bytes;
  }
}

void keep(WrittenFile& file, std::span<const std::byte> bytes, haddr_t address) {
  eachPage(address,
           bytes.size(),
           [&](haddr_t page, std::size_t within, std::size_t from, std::size_t count) {
             const auto [entry, isNew] = file.kept.try_emplace(page);
             if (isNew) {
               static_cast<void>(readAll(file.fd, entry->second, page * kPageBytes));
             }
             std::memcpy(entry->second.data() + within, bytes.data() + from, count);
           });
}

void recall(const WrittenFile& file, std::span<std::byte> bytes, haddr_t address) {
  eachPage(address,
           bytes.size(),
           [&](haddr_t page, std::size_t within, std::size_t to, std::size_t count) {
             const auto entry = file.kept.find(page);
             if (entry != file.kept.end()) {
               std::memcpy(bytes.data() + to, entry->second.data() + within, count);
             }
           });
}

/// The file is open already, and new: HDF5 has nothing to say about how.
H5FD_t* openFile(const char* /*name*/, unsigned /*flags*/, hid_t properties, haddr_t /*largest*/) {
  const auto* info = static_cast<const DriverInfo*>(H5Pget_driver_info(properties));
  struct stat status {};
  auto* file = ::fstat(info->fd, &status) == 0 ? new (std::nothrow) WrittenFile() : nullptr;
  if (file == nullptr) {
    return nullptr;
  }
  file->fd = info->fd;
  file->endOfFile = static_cast<haddr_t>(status.st_size);
  file->device = status.st_dev;
  file->inode = status.st_ino;
  file->health = info->health;
  return file;
}

herr_t closeFile(H5FD_t* base) {
  delete &fileOf(base);  // NOLINT(cppcoreguidelines-owning-memory): HDF5 held it
  return 0;
}

int compareFiles(const H5FD_t* a, const H5FD_t* b) {
  const auto keyOf = [](const WrittenFile& file) { return std::tie(file.device, file.inode); };
  if (keyOf(fileOf(a)) == keyOf(fileOf(b))) {
    return 0;
  }
  return keyOf(fileOf(a)) < keyOf(fileOf(b)) ? -1 : 1;
}

/// As HDF5's own POSIX driver.
herr_t queryFeatures(const H5FD_t* /*file*/, unsigned long* flags) {
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t endOfAllocation(const H5FD_t* file, H5FD_mem_t /*type*/) {
  return fileOf(file).endOfAllocation;
}

herr_t setEndOfAllocation(H5FD_t* file, H5FD_mem_t /*type*/, haddr_t address) {
  fileOf(file).endOfAllocation = address;
  return 0;
}

haddr_t endOfFile(const H5FD_t* file, H5FD_mem_t /*type*/) {
  return fileOf(file).endOfFile;
}

herr_t readBytes(
    H5FD_t* base, H5FD_mem_t /*type*/, hid_t /*transfer*/, haddr_t address, size_t size, void* to) {
  const WrittenFile& file = fileOf(base);
  const std::span bytes(static_cast<std::byte*>(to), size);
  if (!readAll(file.fd, bytes, address)) {
    return -1;
  }
  recall(file, bytes, address);
  return 0;
}

herr_t writeBytes(H5FD_t* base,
                  H5FD_mem_t type,
                  hid_t /*transfer*/,
                  haddr_t address,
                  size_t size,
                  const void* from) {
  WrittenFile& file = fileOf(base);
  const std::span bytes(static_cast<const std::byte*>(from), size);
  file.endOfFile = std::max(file.endOfFile, address + size);
  WriteHealth& health = *file.health;
  if (health.ok() && !health.abandoned) {
    health.error = writeAllAt(file.fd, bytes, static_cast<off_t>(address));
    if (health.ok()) {
      return 0;
    }
  }
  if (type == H5FD_MEM_DRAW) {
    return 0;  // Elements are never read back.
  }
  try {
    keep(file, bytes, address);
    return 0;
  } catch (const std::exception&) {
    return -1;
  }
}

herr_t truncateFile(H5FD_t* base, hid_t /*transfer*/, hbool_t /*closing*/) {
  WrittenFile& file = fileOf(base);
  WriteHealth& health = *file.health;
  if (file.endOfAllocation != file.endOfFile && health.ok() && !health.abandoned &&
      ::ftruncate(file.fd, static_cast<off_t>(file.endOfAllocation)) != 0) {
    health.error = errno;
  }
  file.endOfFile = file.endOfAllocation;
  return 0;
}

H5FD_class_t makeDriver() {
  constexpr std::array<H5FD_mem_t, H5FD_MEM_NTYPES> kOneFreeList = H5FD_FLMAP_DICHOTOMY;
  H5FD_class_t driver{};
  driver.name = "ulpscope";
  driver.maxaddr = kLargestAddress;
  driver.fc_degree = H5F_CLOSE_WEAK;
  driver.fapl_size = sizeof(DriverInfo);
  driver.open = openFile;
  driver.close = closeFile;
  driver.cmp = compareFiles;
  driver.query = queryFeatures;
  driver.get_eoa = endOfAllocation;
  driver.set_eoa = setEndOfAllocation;
  driver.get_eof = endOfFile;
  driver.read = readBytes;
  driver.write = writeBytes;
  driver.truncate = truncateFile;
  std::copy(kOneFreeList.begin(), kOneFreeList.end(), driver.fl_map);
  return driver;
}

}  // namespace

bool useWriteDriver(hid_t properties, const FileWriter& file, WriteHealth& health) {
  static const H5FD_class_t kDriver = makeDriver();
  static const hid_t kId = H5FDregister(&kDriver);
  const DriverInfo info{file.descriptor(), &health};
  return kId >= 0 && H5Pset_driver(properties, kId, &info) >= 0;
}

}  // namespace ulp::tensors
