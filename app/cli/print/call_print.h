#pragma once

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/site.h"
#include "core/comparing/origin/culprit.h"
#include "core/json/writer.h"

/// How the commands print calls of a dump, lists of names, and where two dumps part.
namespace ulp::cli {

/// Appends a line for each of the first `longest` items, and how many more there are.
template <class Items, class Line>
void appendFirst(std::string& text, const Items& items, std::size_t longest, const Line& lineOf) {
  for (const auto& item : items | std::views::take(longest)) {
    text += fmt::format("    {}\n", lineOf(item));
  }
  if (items.size() > longest) {
    text += fmt::format("    … and {} more\n", items.size() - longest);
  }
}

/// Appends what follows the first of several calls: how many, and of the first `longest` the name
/// and the reason. Nothing where there is but one.
template <class Calls>
void appendFurther(std::string& text,
                   std::string_view title,
                   const Calls& calls,
                   std::size_t longest) {
  if (calls.size() > 1) {
    text += fmt::format("{}, in order of execution: {}\n", title, calls.size() - 1);
    for (const auto& call : calls | std::views::drop(1) | std::views::take(longest)) {
      text += fmt::format("  {}: {}\n", call.name, call.reason.text());
    }
  }
}

/// Appends a line with the module calls around a call, innermost first.
void appendEnclosing(std::string& text, const std::vector<std::string>& enclosing);
/// Appends a call stack, without the frames of PyTorch's own module calls unless there are no
/// others; at most `longest` frames.
void appendFrames(std::string& text, const std::vector<std::string>& stack, std::size_t longest);
/// Appends a heading with the number of names, and at most `longest` of them, 0: the heading alone;
/// nothing where there are none.
void appendNames(std::string& text,
                 std::string_view title,
                 const std::vector<std::string>& names,
                 std::size_t longest);
/// Appends lines below the one that names a culprit: how sure that is, the modules around it, what
/// one side alone has there, and at most `longest` frames of its call stack.
void appendCulpritDetails(std::string& text, const analysis::Culprit& culprit, std::size_t longest);

/// Adds the fields `module`, `layer` and `pass` to the object that is open.
void writeSite(json::Writer& json, const Site& site);
/// Adds the field `culprits`, a list of *culprit* of docs/cli.md.
void writeCulprits(json::Writer& json, const std::vector<analysis::Culprit>& culprits);

}  // namespace ulp::cli
