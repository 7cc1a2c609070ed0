#include "core/report/foreign_report.h"

#include <array>
#include <set>

#include "core/report/json_reader.h"

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

/// The fields of the outermost object, as far as the text is JSON, and whether one of them is a
/// list of rows as Fast-LLM writes them.
struct Outline {
  std::set<std::string, std::less<>> fields;
  bool hasFastLlmRows = false;
};

bool isFastLlmRow(JsonReader& json) {
  if (json.peek() != JsonReader::Kind::Object) {
    json.skipValue();
    return false;
  }
  int known = 0;
  json.readObject([&](std::string_view field) {
    known += field == "tensor_name" || field == "rms_rel" || field == "kind" ? 1 : 0;
    json.skipValue();
  });
  return known == 3;
}

Outline outlineOf(std::string_view text) {
  Outline outline;
  JsonReader json(text, "");
  json.readObject([&](std::string_view field) {
    outline.fields.emplace(field);
    if (json.peek() != JsonReader::Kind::Array || outline.hasFastLlmRows) {
      json.skipValue();
      return;
    }
    bool isFirst = true;
    json.readArray([&] {
      if (isFirst) {
        outline.hasFastLlmRows = isFastLlmRow(json);
      } else {
        json.skipValue();
      }
      isFirst = false;
    });
  });
  return outline;
}

}  // namespace

std::optional<std::string> describeForeignFile(std::string_view bytes) {
  for (const Magic& magic : kMagics) {
    if (bytes.starts_with(magic.bytes)) {
      return std::string(magic.what);
    }
  }
  const Outline outline = outlineOf(bytes);
  const auto has = [&](std::string_view field) { return outline.fields.contains(field); };
  if (has("task") && has("data") && (has("dump_data_dir") || has("level"))) {
    return "a dump of msprobe, which holds one run and no comparison; compare it with another one "
           "(ulpscope-cli compare A B --report FOLDER) and open that folder";
  }
  if (outline.hasFastLlmRows) {
    return "a report of Fast-LLM's evaluate_precision; Ulpscope cannot open it yet, but reads its "
           "configuration (.yaml) as a study: open that and run it";
  }
  return std::nullopt;
}

}  // namespace ulp::report
