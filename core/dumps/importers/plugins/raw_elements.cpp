#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <memory>
#include <system_error>
#include <utility>

#include "core/dumps/importers/importer.h"
#include "core/dumps/importers/raw_address.h"
#include "core/dumps/model/folders.h"
#include "core/tensors/opening/tensor_file.h"

namespace ulp::dumps {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 5> kRawExtensions{"", ".bin", ".raw", ".dat", ".data"};

/// That it may hold elements and nothing else. Other files lie beside such ones: texts, tables.
bool isCalledRaw(const fs::path& file) {
  const std::string extension = file.extension().string();
  return std::ranges::find(kRawExtensions, extension) != kRawExtensions.end();
}

class RawUnit final : public DumpUnit {
 public:
  explicit RawUnit(tensors::RawLayout layout) : m_layout(std::move(layout)) {}

  void add(const std::string& name, fs::path file) {
    addEntry({.name = name, .kind = EntryKind::Tensor});
    DumpRow row{.name = name, .role = Role::Value, .dtype = m_layout.dtype, .hasElements = true};
    std::error_code failed;
    const std::uintmax_t size = fs::file_size(file, failed);
    const auto info = tensors::rawTensorInfo(file, failed ? 0 : size, m_layout);
    if (info) {
      row.shape = info->shape;
    } else {
      notes.push_back(info.error().message());
    }
    addRow(std::move(row));
    m_files.push_back(std::move(file));
  }

  [[nodiscard]] Result<tensors::Tensor> read(std::size_t row) const override {
    return tensors::readRawTensor(m_files[row], m_layout);
  }

 private:
  tensors::RawLayout m_layout;
  std::vector<fs::path> m_files;  ///< one for each row
};

std::string noteOfLeftOut(std::size_t count, const fs::path& folder) {
  return fmt::format(
      "{}: {} with a header {} left out; name the folder without a layout to compare what they "
      "hold",
      folder.string(),
      count == 1 ? "1 file" : fmt::format("{} files", count),
      count == 1 ? "is" : "are");
}

Result<DumpUnitPtr> openRawUnit(const tensors::RawLayout& layout,
                                const fs::path& place,
                                const std::stop_token& stop) {
  auto unit = std::make_shared<RawUnit>(layout);
  if (!isFolder(place)) {
    unit->add(place.stem().string(), place);
    return unit;
  }
  std::vector<fs::path> files;
  std::size_t leftOut = 0;
  eachFile(place, [&](const fs::path& file) {
    if (tensors::looksLikeTensorFile(file)) {
      ++leftOut;
    } else if (isCalledRaw(file)) {
      files.push_back(file);
    }
    return !stop.stop_requested();
  });
  if (stop.stop_requested()) {
    return fail(ErrorCode::Cancelled, "reading of the folder cancelled");
  }
  if (files.empty()) {
    return fail(ErrorCode::NotFound,
                fmt::format("{}: holds no file of elements without a header (.bin, .raw, .dat, "
                            ".data, or no extension)",
                            place.string()));
  }
  std::ranges::sort(files, naturallyBefore, [](const fs::path& file) -> const std::string& {
    return file.native();
  });
  const std::vector<std::string> names = namesOfFiles(place, files, isCalledRaw);
  for (std::size_t i = 0; i < files.size(); ++i) {
    unit->add(names[i], std::move(files[i]));
  }
  if (leftOut > 0) {
    unit->notes.push_back(noteOfLeftOut(leftOut, place));
  }
  return unit;
}

/// A file whose own name looks like an address is what it is.
Claim recogniseRawElements(const fs::path& path) {
  std::error_code status;
  if (fs::exists(path, status)) {
    return Claim::No;
  }
  const auto address = parseRawAddress(path);
  const bool isThere = address && (isFile(address->file) || isFolder(address->file));
  return isThere ? Claim::Certain : Claim::No;
}

Result<Dump> openRawElements(const fs::path& path, const std::stop_token& /*stop*/) {
  auto address = parseRawAddress(path);
  if (!address) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{}: is not of the form FILE:float32[4,8]", path.string()));
  }
  // What does not fit is said now rather than at the first comparison.
  if (isFolder(address->file)) {
    const tensors::RawLayout ofNothing{.dtype = address->layout.dtype, .shape = {-1}};
    ULP_TRY(tensors::rawTensorInfo(address->file, 0, ofNothing));
  } else {
    ULP_TRY(tensors::readRawTensor(address->file, address->layout));
  }
  Dump dump{.format = "elements without a header"};
  dump.units.push_back({.path = address->file,
                        .open = [layout = address->layout](const UnitInfo& unit,
                                                           const std::stop_token& stop,
                                                           const Progress& /*progress*/) {
                          return openRawUnit(layout, unit.path, stop);
                        }});
  return dump;
}

}  // namespace

void registerRawElements(ImporterRegistry& registry) {
  registry.add({"raw_elements",
                "elements without a header (FILE:float32[4,8], FOLDER:float32[-1])",
                recogniseRawElements,
                openRawElements});
}

}  // namespace ulp::dumps
