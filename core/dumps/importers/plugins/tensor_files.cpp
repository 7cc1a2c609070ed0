#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iterator>
#include <memory>
#include <set>
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

/// "model.safetensors.index.json", which says in which files beside it the tensors are.
bool isIndex(const fs::path& file) {
  return file.filename().string().ends_with(".safetensors.index.json");
}

/// "model-00002-of-00003"
bool isShard(std::string_view stem) {
  const auto takeNumber = [&stem] {
    const std::size_t end = stem.find_last_not_of("0123456789") + 1;
    const bool is = stem.size() - end >= 5;
    stem = stem.substr(0, end);
    return is;
  };
  const auto takeEnd = [&stem](std::string_view end) {
    const bool is = stem.ends_with(end);
    stem.remove_suffix(is ? end.size() : 0);
    return is;
  };
  return takeNumber() && takeEnd("-of-") && takeNumber() && takeEnd("-");
}

/// Of a checkpoint or an export, which may be in one file or in several: how many there are, and in
/// which one a tensor is, is not a part of its name.
bool isOfWhole(const fs::path& file) {
  constexpr std::array<std::string_view, 3> kWhole{
      "model.safetensors", "pytorch_model.bin", "tensors.safetensors"};
  return isShard(file.stem().string()) ||
         std::ranges::find(kWhole, file.filename().string()) != kWhole.end();
}

/// What the only tensor of a file is called where only the file's own name says what it is.
bool isCalledAsAny(const std::string& name, const fs::path& file) {
  constexpr std::array<std::string_view, 5> kAny{"", "arr_0", "data", "tensor", "value"};
  return std::ranges::find(kAny, name) != kAny.end() || name == file.stem().string();
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
    lookAt(path, isIndex(path) || tensors::looksLikeTensorFile(path), look);
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

struct FoundFiles {
  std::vector<fs::path> tensors;
  std::set<fs::path> indexed;  ///< folders in which an index names the files of a checkpoint
};

class FolderUnitBuilder {
 public:
  FolderUnitBuilder(fs::path root, FoundFiles files, std::vector<TensorFileIndex> indices)
      : m_root(std::move(root)),
        m_files(std::move(files.tensors)),
        m_names(namesOfFiles(m_root, m_files, isCalledTensors)),
        m_indices(std::move(indices)) {
    for (const fs::path& file : m_files) {
      m_isOfWhole.push_back(isOfWhole(file) || (file.extension() == ".safetensors" &&
                                                files.indexed.contains(file.parent_path())));
    }
  }

  /// Error: Cancelled.
  Result<DumpUnitPtr> build() {
    auto unit = std::make_shared<FileUnit>();
    std::vector<FoundTensor> found = ULP_TRY(findAll(*unit));
    ULP_TRY(sortNaturally(found));
    if (nameByFiles(found)) {
      ULP_TRY(sortNaturally(found));
    }
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
    std::vector<FoundTensor> found;
    StopPace pace;
    for (std::size_t file = 0; file < m_files.size(); ++file) {
      const TensorFileIndex& index = m_indices[file];
      if (!index.problem.empty()) {
        unit.notes.push_back(index.problem);
        found.push_back({m_names[file], file, nullptr});
      }
      for (const tensors::TensorInfo& info : index.tensors) {
        if (pace.isStopped()) {
          return stopped();
        }
        found.push_back({nameOf(file, info, index.tensors.size()), file, &info});
      }
    }
    return found;
  }

  [[nodiscard]] std::string nameOf(std::size_t file,
                                   const tensors::TensorInfo& info,
                                   std::size_t count) const {
    const std::string& name = info.name;
    if (m_files.size() == 1 && m_files.front() == m_root && !name.empty()) {
      return name;
    }
    if (m_isOfWhole[file] && !name.empty()) {
      return (fs::path(m_names[file]).parent_path() / "").generic_string() + name;
    }
    return count == 1 && isCalledAsAny(name, m_files[file]) ? m_names[file] : inFile(file, name);
  }

  [[nodiscard]] std::string inFile(std::size_t file, const std::string& name) const {
    // Of one file alone the name of that file is none of the tensor's.
    return (m_files.front() == m_root ? "" : m_names[file] + "/") +
           (name.empty() ? "(unnamed)" : name);
  }

  /// Where a folder holds two checkpoints, tensors of one name keep that of their file. Tells
  /// whether there are any among `found`, which is sorted.
  [[nodiscard]] bool nameByFiles(std::vector<FoundTensor>& found) const {
    bool isAny = false;
    for (auto first = found.begin(); first != found.end();) {
      const auto end = std::find_if(
          first, found.end(), [&](const FoundTensor& each) { return each.name != first->name; });
      for (auto each = first; end - first > 1 && each != end; ++each) {
        if (each->info != nullptr && m_isOfWhole[each->file]) {
          each->name = inFile(each->file, each->info->name);
          isAny = true;
        }
      }
      first = end;
    }
    return isAny;
  }

  fs::path m_root;
  std::vector<fs::path> m_files;
  std::vector<std::string> m_names;  ///< of the files
  std::vector<bool> m_isOfWhole;     ///< the same
  std::vector<TensorFileIndex> m_indices;
};

Result<DumpUnitPtr> openFolderUnit(const UnitInfo& unit,
                                   const std::stop_token& stop,
                                   const Progress& progress) {
  FoundFiles found;
  std::vector<fs::path>& files = found.tensors;
  if (isFolder(unit.path)) {
    eachFile(unit.path, [&](const fs::path& file) {
      if (isCalledTensors(file) ||
          (file.extension() != ".json" && tensors::looksLikeTensorFile(file))) {
        files.push_back(file);
      } else if (isIndex(file)) {
        found.indexed.insert(file.parent_path());
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
  return FolderUnitBuilder(unit.path, std::move(found), std::move(indices)).build();
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
