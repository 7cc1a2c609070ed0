#include <fmt/format.h>
#include <system_error>

#include "core/dumps/exporters/dump_exporter.h"
#include "core/dumps/exporters/exported_names.h"
#include "core/dumps/exporters/python_json.h"
#include "core/tensors/formats/numpy/npy_writer.h"

namespace ulp::dumps {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kNpyExtension = ".npy";
constexpr const char* kNpyIndex = "index.json";

DType writtenType(DType dtype) {
  return tensors::isWidenedForNpy(dtype) ? DType::Float32 : dtype;
}

Result<> writeTensor(const fs::path& file, const tensors::Tensor& tensor) {
  return tensors::writeNpy(file, tensor.view, Durability::WithItsFolder, tensor.file.get());
}

Result<std::size_t> writeFolder(const UnitExport& unit) {
  const std::vector<std::size_t> owners = entriesOfRows(unit.unit);
  auto index = ULP_TRY(PythonJson::create(unit.folder / kNpyIndex));
  index.beginObject();
  UniqueNames names;
  Conversions conversions;
  RowReader reader(unit);
  for (std::size_t i = 0; i < unit.rows.size(); ++i) {
    const DumpRow& row = unit.unit.rows[unit.rows[i]];
    const DumpEntry& entry = unit.unit.entries[owners[unit.rows[i]]];
    const std::string name = names.make(pathOfName(exportedName(entry, row)).generic_string());
    const fs::path file = unit.folder / (name + std::string(kNpyExtension));
    ULP_TRY(reader.read(unit.rows[i], [&](const tensors::Tensor& tensor) -> Result<> {
      conversions.add(row, tensor.view.dtype, writtenType(tensor.view.dtype));
      index.key(name + std::string(kNpyExtension)).beginObject();
      index.key("name").text(row.name);
      index.key("pass").text(toString(entry.pass));
      index.key("role").text(toString(row.role));
      index.key("dtype").text(toString(tensor.view.dtype));
      index.endObject();
      std::error_code failure;
      fs::create_directories(file.parent_path(), failure);
      ULP_TRY(checkMade(file.parent_path(), failure));
      return writeTensor(file, tensor);
    }));
    unit.progress(i + 1, unit.rows.size());
  }
  conversions.note(unit.notes);
  index.endObject();
  ULP_TRY(index.finish());
  return reader.count();
}

Result<std::size_t> writeFile(const UnitExport& unit) {
  if (unit.rows.size() != 1) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{}: a .npy file holds one array, and there are {}; choose one by a "
                            "pattern and a pass, or name a folder",
                            unit.file.filename().string(),
                            unit.rows.size()));
  }
  const DumpRow& row = unit.unit.rows[unit.rows.front()];
  const auto tensor = ULP_TRY(unit.unit.read(unit.rows.front()));
  Conversions conversions;
  conversions.add(row, tensor.view.dtype, writtenType(tensor.view.dtype));
  conversions.note(unit.notes);
  ULP_TRY(writeTensor(unit.file, tensor));
  ULP_TRY(tensors::checkIntact(tensor));
  return 1;
}

Result<std::size_t> exportNpy(const UnitExport& unit) {
  return unit.file.empty() ? writeFolder(unit) : writeFile(unit);
}

}  // namespace

void registerNpy(DumpExporterRegistry& registry) {
  registry.add({.id = "npy",
                .title = "one .npy file a tensor",
                .extension = std::string(kNpyExtension),
                .place = placeOfUnit,
                .write = exportNpy});
}

}  // namespace ulp::dumps
