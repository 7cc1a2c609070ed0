#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/json/writer.h"

/// How the commands print calls of a dump.
namespace ulp::cli {

/// A line with the module calls around a call, innermost first.
void appendEnclosing(std::string& text, const std::vector<std::string>& enclosing);
/// A call stack, without the frames of PyTorch's own module calls unless there are no others; at
/// most `longest` frames.
void appendFrames(std::string& text, const std::vector<std::string>& stack, std::size_t longest);
/// A heading with the number of names, and at most `longest` of them, 0: the heading alone; nothing
/// where there are none.
void appendNames(std::string& text,
                 const std::string& title,
                 const std::vector<std::string>& names,
                 std::size_t longest);
void writeNames(json::Writer& json, std::string_view key, std::span<const std::string> names);

}  // namespace ulp::cli
