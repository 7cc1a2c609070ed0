#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iterator>
#include <memory>
#include <system_error>
#include <utility>

#include "core/base/stop_pace.h"
#include "core/dumps/importers/file_unit.h"
#include "core/dumps/importers/importer.h"
#include "core/dumps/model/folders.h"
#include "core/tensors/opening/tensor_file.h"

namespace ulp::dumps {
namespace {

namespace fs = std::filesystem;

/// A file that is called so and cannot be read is worth a note.
constexpr std::array<std::string_view, 10> kTensorExtensions{
    ".pt", ".pth", ".npy", ".npz", ".safetensors", ".gguf", ".h5", ".hdf5", ".hdf", ".bin"};

bool isCalledTensors(const fs::path& file) {
  const std::string extension = file.extension().string();
  return std::ranges::find(kTensorExtensions, extension) != kTensorExtensions.end();
}

/// "tensors.safetensors" or one of its shards, as an export calls them.
bool isOfExport(const fs::path& file) {
  const std::string stem = file.stem().string();
  const bool isShard = stem.starts_with("tensors-") && stem.find("-of-") != std::string::npos;
  return file.extension() == ".safetensors" && (stem == "tensors" || isShard);
}

/// Other programs end the names of other files in .bin, and what is written to an HDF5 file may not
/// have reached the disk yet.
bool isOnlyTensorsCalled(const fs::path& file) {
  const std::string extension = file.extension().string();
  return isCalledTensors(file) && extension != ".bin" && !extension.starts_with(".h");
}

/// What a path is, as far as it is looked at.
struct Look {
  Claim claim = Claim::No;
  fs::path damaged{};  ///< the first by name that is only called a file of tensors
};

void lookAt(const fs::path& file, bool isTensors, Look& look) {
  if (isTensors) {
    look.claim = Claim::Generic;
  } else if (isOnlyTensorsCalled(file) && (look.damaged.empty() || file < look.damaged)) {
    look.claim = Claim::Damaged;
    look.damaged = file;
  }
}

Look lookAt(const fs::path& path) {
  Look look;
  if (isFile(path)) {
    lookAt(path, tensors::looksLikeTensorFile(path), look);
  }
  if (!isFolder(path)) {
    return look;
  }
  std::size_t looked = 0;
  eachFile(path, [&](const fs::path& file) {
    lookAt(file, isCalledTensors(file) && tensors::looksLikeTensorFile(file), look);
    return look.claim != Claim::Generic && ++looked < kMostLookedAt;
  });
  return look;
}

Claim recogniseTensorFiles(const fs::path& path) {
  return lookAt(path).claim;
}

/// A tensor, or a file that could not be read, before it has its place in the order.
struct FoundTensor {
  std::string name;
  std::size_t file;
  const tensors::TensorInfo* info;  ///< null: the file could not be read
};

/// By name. Of a million names that takes seconds: a stop is seen between pieces. Error: Cancelled.
Result<> sortNaturally(std::vector<FoundTensor>& found) {
  constexpr std::ptrdiff_t kPiece = std::ptrdiff_t{1} << 15;
  const auto before = [](const FoundTensor& a, const FoundTensor& b) {
    return naturallyBefore(a.name, b.name);
  };
  const std::ptrdiff_t count = std::ssize(found);
  const auto at = [&](std::ptrdiff_t place) { return found.begin() + std::min(place, count); };
  StopPace pace(1);
  for (std::ptrdiff_t first = 0; first < count; first += kPiece) {
    if (pace.isStopped()) {
      return stopped();
    }
    std::stable_sort(at(first), at(first + kPiece), before);
  }
  for (std::ptrdiff_t size = kPiece; size < count; size *= 2) {
    for (std::ptrdiff_t first = 0; first + size < count; first += 2 * size) {
      if (pace.isStopped()) {
        return stopped();
      }
      std::inplace_merge(at(first), at(first + size), at(first + 2 * size), before);
    }
  }
  return {};
}

class FolderUnitBuilder {
 public:
  FolderUnitBuilder(fs::path root,
                    std::vector<fs::path> files,
                    std::vector<TensorFileIndex> indices)
      : m_root(std::move(root)), m_files(std::move(files)), m_indices(std::move(indices)) {}

  /// Error: Cancelled.
  Result<DumpUnitPtr> build() {
    auto unit = std::make_shared<FileUnit>();
    std::vector<FoundTensor> found = ULP_TRY(findAll(*unit));
    ULP_TRY(sortNaturally(found));
    StopPace pace;
    for (const FoundTensor& one : found) {
      if (pace.isStopped()) {
        return stopped();
      }
      unit->add({.name = one.name, .kind = EntryKind::Tensor},
                {.name = one.name, .role = Role::Value},
                one.file,
                one.info);
    }
    unit->setFiles(std::move(m_files));
    return unit;
  }

 private:
  /// In the order of the files; what cannot be read is noted.
  Result<std::vector<FoundTensor>> findAll(FileUnit& unit) const {
    const std::vector<std::string> names = namesOfFiles(m_root, m_files, isCalledTensors);
    std::vector<FoundTensor> found;
    StopPace pace;
    for (std::size_t file = 0; file < m_files.size(); ++file) {
      const TensorFileIndex& index = m_indices[file];
      if (!index.problem.empty()) {
        unit.notes.push_back(index.problem);
        found.push_back({names[file], file, nullptr});
      }
      for (const tensors::TensorInfo& info : index.tensors) {
        if (pace.isStopped()) {
          return stopped();
        }
        found.push_back({nameOf(names[file], file, info, index.tensors.size()), file, &info});
      }
    }
    return found;
  }

  [[nodiscard]] std::string nameOf(const std::string& file,
                                   std::size_t fileNumber,
                                   const tensors::TensorInfo& info,
                                   std::size_t count) const {
    const bool isOneFile = m_files.size() == 1 && m_files.front() == m_root;
    if (isOneFile && !info.name.empty()) {
      return info.name;
    }
    if (isOfExport(m_files[fileNumber])) {
      // How many shards there are, and in which one a tensor is, is not a part of its name.
      return (fs::path(file).parent_path() / "").generic_string() + info.name;
    }
    return count == 1 ? file : file + "/" + info.name;
  }

  fs::path m_root;
  std::vector<fs::path> m_files;
  std::vector<TensorFileIndex> m_indices;
};

Result<DumpUnitPtr> openFolderUnit(const UnitInfo& unit,
                                   const std::stop_token& stop,
                                   const Progress& progress) {
  std::vector<fs::path> files;
  if (isFolder(unit.path)) {
    eachFile(unit.path, [&](const fs::path& file) {
      if (isCalledTensors(file) ||
          (file.extension() != ".json" && tensors::looksLikeTensorFile(file))) {
        files.push_back(file);
      }
      return !stop.stop_requested();
    });
  } else {
    files.push_back(unit.path);
  }
  // The order in which a folder lists its files is not the same everywhere.
  std::ranges::sort(files);
  auto indices = ULP_TRY(indexTensorFiles(files, stop, progress));
  if (files.size() == 1 && !indices.front().problem.empty()) {
    return fail(ErrorCode::CorruptData, indices.front().problem);
  }
  return FolderUnitBuilder(unit.path, std::move(files), std::move(indices)).build();
}

Result<Dump> openTensorFiles(const fs::path& path, const std::stop_token& /*stop*/) {
  std::error_code status;
  if (!fs::exists(path, status)) {
    return fail(ErrorCode::NotFound, fmt::format("{}: no such file or folder", path.string()));
  }
  if (const Look look = lookAt(path); look.claim == Claim::Damaged) {
    ULP_TRY(tensors::openTensorFile(look.damaged));
  }
  Dump dump{.format = isFolder(path) ? "folder of tensor files" : "tensor file"};
  dump.units.push_back({.path = path, .open = openFolderUnit});
  return dump;
}

}  // namespace

void registerTensorFiles(ImporterRegistry& registry) {
  registry.add(
      {"tensor_files",
       fmt::format("files of tensors ({}), or a folder of them", tensors::kTensorFileFormats),
       recogniseTensorFiles,
       openTensorFiles});
}

}  // namespace ulp::dumps
