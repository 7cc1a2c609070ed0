#include "app/cli/print/call_print.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <span>

namespace ulp::cli {
namespace {

/// Without those of PyTorch's own module calls, unless there are no others.
std::vector<std::string> ownFrames(const std::vector<std::string>& stack) {
  std::vector<std::string> frames;
  std::copy_if(
      stack.begin(), stack.end(), std::back_inserter(frames), [](const std::string& frame) {
        return frame.find("/torch/nn/modules/") == std::string::npos;
      });
  return frames.empty() ? stack : frames;
}

}  // namespace

void appendEnclosing(std::string& text, const std::vector<std::string>& enclosing) {
  if (!enclosing.empty()) {
    text += fmt::format("    inside {}\n", fmt::join(enclosing, ", in "));
  }
}

void appendFrames(std::string& text, const std::vector<std::string>& stack, std::size_t longest) {
  std::vector<std::string> frames = ownFrames(stack);
  frames.resize(std::min(longest, frames.size()));
  for (std::string& frame : frames) {
    std::replace(frame.begin(), frame.end(), '\n', ' ');
    text += fmt::format("    {}\n", frame);
  }
}

void appendNames(std::string& text,
                 const std::string& title,
                 const std::vector<std::string>& names,
                 std::size_t longest) {
  if (names.empty()) {
    return;
  }
  text += fmt::format("  {}: {}\n", title, names.size());
  for (const std::string& name : std::span(names).first(std::min(longest, names.size()))) {
    text += fmt::format("    {}\n", name);
  }
  if (longest > 0 && names.size() > longest) {
    text += fmt::format("    … and {} more\n", names.size() - longest);
  }
}

void writeNames(json::Writer& json, std::string_view key, std::span<const std::string> names) {
  json.key(key);
  json.beginArray();
  for (const std::string& name : names) {
    json.value(std::string_view(name));
  }
  json.endArray();
}

}  // namespace ulp::cli
