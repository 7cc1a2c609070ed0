#include "app/cli/print/call_print.h"

#include <fmt/ranges.h>
#include <functional>
#include <iterator>

#include "core/base/text/contains_text.h"

namespace ulp::cli {

void appendEnclosing(std::string& text, const std::vector<std::string>& enclosing) {
  if (!enclosing.empty()) {
    text += fmt::format("    inside {}\n", fmt::join(enclosing, ", in "));
  }
}

void appendFrames(std::string& text, const std::vector<std::string>& stack, std::size_t longest) {
  std::vector<std::string> frames;
  std::ranges::copy_if(stack, std::back_inserter(frames), [](const std::string& frame) {
    return !containsText(frame, "/torch/nn/modules/");
  });
  for (std::string frame : (frames.empty() ? stack : frames) | std::views::take(longest)) {
    std::ranges::replace(frame, '\n', ' ');
    text += fmt::format("    {}\n", frame);
  }
}

void appendNames(std::string& text,
                 std::string_view title,
                 const std::vector<std::string>& names,
                 std::size_t longest) {
  if (names.empty()) {
    return;
  }
  text += fmt::format("  {}: {}\n", title, names.size());
  if (longest > 0) {
    appendFirst(text, names, longest, std::identity());
  }
}

void appendCulpritDetails(std::string& text,
                          const analysis::Culprit& culprit,
                          std::size_t longest) {
  text +=
      fmt::format("    sureness {}: {}\n", toString(culprit.sureness), culprit.sureBecause.text());
  appendEnclosing(text, culprit.enclosing);
  if (!culprit.structure.empty()) {
    text += fmt::format("    there {}\n", culprit.structure);
  }
  appendFrames(text, culprit.stack, longest);
}

void writeSite(json::Writer& json, const Site& site) {
  json.field("module", site.module);
  json.field("layer", site.layer);
  json.field("pass", toString(site.pass));
}

void writeCulprits(json::Writer& json, const std::vector<analysis::Culprit>& culprits) {
  json.objects("culprits", culprits, [&](const analysis::Culprit& culprit) {
    json.field("entry", culprit.name);
    json.field("row", culprit.rowName);
    writeSite(json, culprit.site);
    json.field("kind", toString(culprit.kind));
    json.field("sureness", toString(culprit.sureness));
    json.field("sure_because", culprit.sureBecause.text());
    json.field("reason", culprit.reason.text());
    json.field("error", culprit.error);
    json.field("carried", culprit.carried);
    json.field("allowed", culprit.allowed);
    json.field("non_finite", culprit.isBroken);
    json.field("structure", culprit.structure);
    json.field("enclosing", culprit.enclosing);
    json.field("stack", culprit.stack);
    json.optionalObject("remote", culprit.remote, [&](const analysis::RemoteOrigin& remote) {
      json.field("unit", remote.unitLabel);
      json.field("row", remote.rowName);
      json.field("error", remote.error);
      json.field("origin", remote.origin);
      json.field("origin_row", remote.rowOfOrigin);
    });
  });
}

}  // namespace ulp::cli
