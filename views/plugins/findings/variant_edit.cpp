#include "views/plugins/findings/variant_edit.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <optional>
#include <vector>

#include "core/study/study.h"

namespace ulp::views {
namespace {

constexpr std::string_view kKey = "variants:";

std::vector<std::string> linesOf(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

bool isBlank(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t\r");
  return first == std::string_view::npos || line[first] == '#';
}

/// Plain where YAML reads it back as the same text, else in quotes.
std::string scalar(const std::string& text) {
  const bool isPlain = !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '.' || c == '-' || c == '/';
  });
  if (isPlain) {
    return text;
  }
  std::string quoted = "'";
  for (const char c : text) {
    quoted += c == '\'' ? "''" : std::string(1, c);
  }
  return quoted + "'";
}

std::string entryOf(const std::string& name, const Overrides& overrides, std::size_t indent) {
  std::string entry = fmt::format("{:{}}{}: {{", "", indent, scalar(name));
  bool isFirst = true;
  for (const auto& [path, value] : overrides) {
    entry += fmt::format("{}{}: {}", isFirst ? "" : ", ", path, scalar(value));
    isFirst = false;
  }
  return entry + "}";
}

/// What follows `variants:` on its own line, without comment.
std::string_view restOf(std::string_view line) {
  std::string_view rest = line.substr(kKey.size());
  rest = rest.substr(0, rest.find(" #"));
  const std::size_t first = rest.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) {
    return {};
  }
  return rest.substr(first, rest.find_last_not_of(" \t\r") - first + 1);
}

struct Block {
  std::size_t end = 0;     ///< line behind the last entry
  std::size_t indent = 2;  ///< of the entries
};

Block blockAfter(const std::vector<std::string>& lines, std::size_t key) {
  Block block{.end = key + 1};
  bool hasEntry = false;
  for (std::size_t i = key + 1; i < lines.size(); ++i) {
    if (isBlank(lines[i])) {
      continue;
    }
    const std::size_t indent = lines[i].find_first_not_of(' ');
    if (indent == 0) {
      break;
    }
    if (!hasEntry) {
      block.indent = indent;
      hasEntry = true;
    }
    block.end = i + 1;
  }
  return block;
}

Result<> insert(std::vector<std::string>& lines,
                const std::string& name,
                const Overrides& overrides) {
  const auto key = std::find_if(
      lines.begin(), lines.end(), [](const auto& line) { return line.starts_with(kKey); });
  if (key == lines.end()) {
    lines.emplace_back(kKey);
    lines.push_back(entryOf(name, overrides, 2));
    return {};
  }
  const std::string_view rest = restOf(*key);
  if (rest == "{}") {
    key->replace(key->find("{}"), 2, "");
    key->erase(key->find_last_not_of(' ') + 1);
  } else if (!rest.empty()) {
    return fail(ErrorCode::InvalidArgument,
                "the variants of the study stand on one line; write one variant a line, then "
                "another can be added");
  }
  const auto place = static_cast<std::size_t>(key - lines.begin());
  const Block block = blockAfter(lines, place);
  lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(block.end),
               entryOf(name, overrides, block.indent));
  return {};
}

}  // namespace

std::string newVariantName(std::string_view yaml,
                           const std::string& base,
                           const Overrides& overrides) {
  std::string name = base;
  for (const auto& [path, value] : overrides) {
    std::string key = path.substr(path.rfind('.') + 1);
    key = key.substr(0, key.find("_dtype"));
    name += "_" + key + "_" + value;
  }
  const auto study = study::parseStudy(yaml, "study");
  if (!study) {
    return name;
  }
  const auto isTaken = [&](const std::string& wanted) {
    return std::any_of(study->variants.begin(), study->variants.end(), [&](const auto& variant) {
      return variant.name == wanted;
    });
  };
  std::string free = name;
  for (int number = 2; isTaken(free); ++number) {
    free = fmt::format("{}_{}", name, number);
  }
  return free;
}

Result<std::string> withVariant(std::string_view yaml,
                                const std::string& name,
                                const Overrides& overrides) {
  std::vector<std::string> lines = linesOf(yaml);
  if (auto inserted = insert(lines, name, overrides); !inserted) {
    return tl::unexpected<Error>(std::move(inserted.error()));
  }
  std::string text;
  for (const std::string& line : lines) {
    text += line + "\n";
  }
  // Whatever the text looks like: what comes out is a study with this variant, or nothing does.
  auto study = study::parseStudy(text, "study");
  if (!study) {
    return failWhile("cannot add a variant", std::move(study));
  }
  const bool isThere = std::any_of(study->variants.begin(),
                                   study->variants.end(),
                                   [&](const auto& variant) { return variant.name == name; });
  if (!isThere) {
    return fail(ErrorCode::InvalidArgument,
                "cannot find the place of a new variant in the study; add it by hand");
  }
  return text;
}

}  // namespace ulp::views
