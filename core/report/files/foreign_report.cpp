#include "core/report/files/foreign_report.h"

#include <array>
#include <set>

#include "core/json/reader.h"

namespace ulp::report {
namespace {

struct Magic {
  std::string_view bytes;
  std::string_view what;
};

constexpr std::array kMagics{
    Magic{"\x89HDF\r\n\x1a\n",
          "an HDF5 file; the tensors of a run are shown with its report: open the run folder"},
    Magic{"GGUF", "a model in GGUF; name it as model.path of a study and run that"},
    Magic{"PK\x03\x04",
          "a ZIP archive or a workbook; reports are read from JSON: open the run folder"}};

/// The fields of the outermost object, as far as the text is JSON.
std::set<std::string, std::less<>> fieldsOf(std::string_view text) {
  std::set<std::string, std::less<>> fields;
  json::Reader json(text, "");
  json.readObject([&](std::string_view field) {
    fields.emplace(field);
    json.skipValue();
  });
  return fields;
}

}  // namespace

std::optional<std::string> describeForeignFile(std::string_view bytes) {
  for (const Magic& magic : kMagics) {
    if (bytes.starts_with(magic.bytes)) {
      return std::string(magic.what);
    }
  }
  const auto fields = fieldsOf(bytes);
  const auto has = [&](std::string_view field) { return fields.contains(field); };
  if (has("task") && has("data") && (has("dump_data_dir") || has("level"))) {
    return "a dump of msprobe, which holds one run and no comparison; compare it with another one: "
           "ulpscope-cli compare A B, or File > Compare dumps in the window";
  }
  return std::nullopt;
}

}  // namespace ulp::report
