#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "core/dumps/importers/importer.h"
#include "core/tensors/formats/hdf5/hdf5_archive.h"
#include "tests/fuzz/archive_targets.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/support/machine/temp_dir.h"

/// What the fuzzers do with formats that are read from the disk: their inputs become files.
namespace ulp::dumps {

/// Below memory where the system has that.
class FuzzFolder : public test::TempDir {
 public:
  FuzzFolder() : TempDir(std::filesystem::is_directory("/dev/shm") ? "/dev/shm" : "/tmp") {}

  /// Left out where the names of an input contradict each other.
  void write(const std::filesystem::path& name, std::string_view content) const {
    std::error_code ignored;
    std::filesystem::create_directories((path() / name).parent_path(), ignored);
    std::ofstream(path() / name, std::ios::binary) << content;
  }
};

/// Files one after the other, each as "NAME\nSIZE\n" and its bytes; what does not fit ends them.
/// Names that would leave the folder are left out.
inline void unpack(std::string_view input, const FuzzFolder& folder) {
  constexpr std::size_t kMostFiles = 64;
  for (std::size_t file = 0; file < kMostFiles && !input.empty(); ++file) {
    const std::size_t line = input.find('\n');
    const std::size_t sizeLine = line == std::string_view::npos ? line : input.find('\n', line + 1);
    if (sizeLine == std::string_view::npos) {
      return;
    }
    const std::string_view name = input.substr(0, line);
    std::size_t size = 0;
    std::from_chars(input.data() + line + 1, input.data() + sizeLine, size);
    input.remove_prefix(sizeLine + 1);
    size = std::min(size, input.size());
    const std::filesystem::path path(name);
    const bool isInside =
        !name.empty() && name.size() < 200 && name.find('\0') == std::string_view::npos &&
        path.is_relative() && path.has_filename() &&
        std::none_of(path.begin(), path.end(), [](const auto& part) { return part == ".."; });
    if (isInside) {
      folder.write(path, input.substr(0, size));
    }
    input.remove_prefix(size);
  }
}

/// What every importer promises of a unit; tensors that cannot be read must say why.
inline void checkUnit(const DumpUnit& unit) {
  for (const DumpEntry& entry : unit.entries) {
    require(entry.firstRow <= unit.rows.size());
    require(entry.rowCount <= unit.rows.size() - entry.firstRow);
    require(entry.parent == kNone || entry.parent < unit.entries.size());
    require(entry.stack == kNone || entry.stack < unit.stacks.size());
  }
  for (std::size_t row = 0; row < unit.rows.size(); ++row) {
    const auto tensor = unit.read(row);
    if (tensor) {
      require(unit.rows[row].hasElements);
      tensors::touch(*tensor);
    } else {
      require(!tensor.error().message().empty());
    }
  }
}

/// A folder of files, opened as whatever importer takes it for.
inline void fuzzFolder(const std::uint8_t* data, std::size_t size) {
  const FuzzFolder folder;
  unpack(fuzzText(data, size), folder);
  const auto dump = openDump(folder.path());
  if (!dump) {
    require(!dump.error().message().empty());
    return;
  }
  for (std::size_t unit = 0; unit < (*dump)->units.size(); ++unit) {
    if (const auto opened = (*dump)->openUnit(unit)) {
      checkUnit(**opened);
    }
  }
}

/// Whether it was opened. A file of HDF5 may also claim what only the system can refuse.
inline bool fuzzHdf5(const std::uint8_t* data, std::size_t size) {
  const FuzzFolder folder;
  folder.write("input.h5", fuzzText(data, size));
  const auto archive = tensors::openHdf5Archive(folder.path() / "input.h5");
  if (!archive) {
    require(archive.error().code() != ErrorCode::Internal);
    return false;
  }
  for (const tensors::TensorInfo& info : (*archive)->tensors()) {
    if (const auto tensor = (*archive)->read(info.name)) {
      tensors::touch(*tensor);
    } else {
      require(tensor.error().code() != ErrorCode::Internal && !tensor.error().message().empty());
    }
  }
  return true;
}

}  // namespace ulp::dumps
