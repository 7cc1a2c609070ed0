#include "app/cli/print/culprit_print.h"

#include <cstdint>
#include <fmt/format.h>
#include <optional>
#include <string_view>

#include "app/cli/print/call_print.h"

namespace ulp::cli {
namespace {

void writeRemote(json::Writer& json, const std::optional<analysis::RemoteOrigin>& remote) {
  json.key("remote");
  if (!remote) {
    json.null();
    return;
  }
  json.beginObject();
  json.field("unit", std::string_view(remote->unitLabel));
  json.field("row", std::string_view(remote->rowName));
  json.field("error", remote->error);
  json.field("origin", std::string_view(remote->origin));
  json.field("origin_row", std::string_view(remote->rowOfOrigin));
  json.endObject();
}

}  // namespace

void appendCulpritDetails(std::string& text,
                          const analysis::Culprit& culprit,
                          std::size_t longest) {
  text += fmt::format("    sureness {}: {}\n", toString(culprit.sureness), culprit.sureBecause);
  appendEnclosing(text, culprit.enclosing);
  if (!culprit.structure.empty()) {
    text += fmt::format("    there {}\n", culprit.structure);
  }
  appendFrames(text, culprit.stack, longest);
}

void writeCulprit(json::Writer& json, const analysis::Culprit& culprit) {
  json.beginObject();
  json.field("entry", std::string_view(culprit.name));
  json.field("row", std::string_view(culprit.rowName));
  json.field("module", std::string_view(culprit.site.module));
  json.field("layer", static_cast<std::int64_t>(culprit.site.layer));
  json.field("pass", toString(culprit.site.pass));
  json.field("kind", toString(culprit.kind));
  json.field("sureness", toString(culprit.sureness));
  json.field("sure_because", std::string_view(culprit.sureBecause));
  json.field("reason", std::string_view(culprit.reason));
  json.field("error", culprit.error);
  json.field("carried", culprit.carried);
  json.field("allowed", culprit.allowed);
  json.field("non_finite", culprit.isBroken);
  json.field("structure", std::string_view(culprit.structure));
  writeNames(json, "enclosing", culprit.enclosing);
  writeNames(json, "stack", culprit.stack);
  writeRemote(json, culprit.remote);
  json.endObject();
}

}  // namespace ulp::cli
