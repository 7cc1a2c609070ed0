#include "core/study/editing/study_completion.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "core/base/text/ascii_lower.h"
#include "core/base/text/split.h"
#include "core/study/yaml/yaml_text.h"

namespace ulp::study {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == kNone) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::string unquoted(std::string_view key) {
  key = trimmed(key);
  const bool isQuoted =
      key.size() > 1 && (key.front() == '"' || key.front() == '\'') && key.back() == key.front();
  return std::string(isQuoted ? key.substr(1, key.size() - 2) : key);
}

std::string_view lineAt(std::string_view yaml, std::size_t start) {
  return yaml.substr(start, std::min(yaml.find('\n', start), yaml.size()) - start);
}

/// Indentation, or nothing for a line without content.
std::optional<std::size_t> indentOf(std::string_view line) {
  const std::size_t first = line.find_first_not_of(' ');
  if (first == kNone || line[first] == '#' || line[first] == '\r') {
    return std::nullopt;
  }
  return first;
}

/// Position of the colon behind a block key of the line, or kNone.
std::size_t colonOf(std::string_view line) {
  for (std::size_t at = line.find(':'); at != kNone; at = line.find(':', at + 1)) {
    if (at + 1 == line.size() || line[at + 1] == ' ' || line[at + 1] == '\r') {
      return at;
    }
  }
  return kNone;
}

std::string blockKey(std::string_view line) {
  const std::size_t colon = colonOf(line);
  return colon == kNone ? std::string() : unquoted(line.substr(0, colon));
}

void findParents(const std::vector<std::string_view>& lines,
                 std::size_t row,
                 std::size_t indent,
                 TextContext& context) {
  std::size_t limit = indent;
  for (std::size_t i = row; i-- > 0 && limit > 0;) {
    const auto column = indentOf(lines[i]);
    if (column && *column < limit) {
      limit = *column;
      context.parents.insert(context.parents.begin(), blockKey(lines[i]));
    }
  }
}

void addSibling(std::string_view line, std::size_t indent, TextContext& context) {
  if (indentOf(line) == indent) {
    if (std::string key = blockKey(line); !key.empty()) {
      context.siblings.push_back(std::move(key));
    }
  }
}

void findSiblings(const std::vector<std::string_view>& lines,
                  std::size_t row,
                  std::size_t indent,
                  TextContext& context) {
  const auto leaves = [&](std::size_t i) {
    const auto column = indentOf(lines[i]);
    return column && *column < indent;
  };
  for (std::size_t i = row; i-- > 0 && !leaves(i);) {
    addSibling(lines[i], indent, context);
  }
  for (std::size_t i = row + 1; i < lines.size() && !leaves(i); ++i) {
    addSibling(lines[i], indent, context);
  }
}

/// Walks the brackets of a value up to the place.
class BracketWalk {
 public:
  explicit BracketWalk(TextContext& context) : m_context(context) {}

  void walk(std::string_view value, std::size_t offset) {
    m_word = offset;
    for (std::size_t i = 0; i < value.size(); ++i) {
      take(value[i], offset + i, i + 1 < value.size() ? value[i + 1] : ' ');
    }
    m_context.isText = m_context.isText && m_quote == 0 && m_lists == 0;
    while (m_word < offset + value.size() && value[m_word - offset] == ' ') {
      ++m_word;
    }
    m_context.begin = m_word;
    if (!m_context.isValue) {
      m_context.key = trimmed(value.substr(m_word - offset));
    }
  }

 private:
  void take(char c, std::size_t at, char next) {
    if (m_quote != 0) {
      m_quote = c == m_quote ? '\0' : m_quote;
    } else if (c == '"' || c == '\'') {
      m_quote = c;
    } else if (c == '[') {
      ++m_lists;
    } else if (c == ']') {
      --m_lists;
    } else if (m_lists > 0) {
      return;
    } else if (c == '{') {
      m_context.parents.push_back(m_context.key);
      m_seen.push_back(std::move(m_context.siblings));
      m_context.siblings.clear();
      startKey(at);
    } else if (c == '}' && !m_seen.empty()) {
      m_context.key = m_context.parents.back();
      m_context.parents.pop_back();
      m_context.siblings = std::move(m_seen.back());
      m_seen.pop_back();
      m_context.isValue = true;
      m_word = at + 1;
    } else if (c == ',' && !m_seen.empty()) {
      startKey(at);
    } else if (c == ':' && next == ' ' && !m_context.isValue) {
      m_context.key = unquoted(m_key);
      m_context.siblings.push_back(m_context.key);
      m_context.isValue = true;
      m_word = at + 1;
    } else {
      m_key += c;
    }
  }

  void startKey(std::size_t at) {
    m_context.isValue = false;
    m_context.key.clear();
    m_key.clear();
    m_word = at + 1;
  }

  TextContext& m_context;
  std::vector<std::vector<std::string>> m_seen;
  std::string m_key;
  std::size_t m_word = 0;
  char m_quote = 0;
  int m_lists = 0;
};

/// Path of schema keys below the owner, whether it is a run's, and whether there is one at all.
struct SchemaPlace {
  std::string section;  ///< "precision", "" or "a.b"
  bool isRun = false;
  bool isKnown = true;
};

SchemaPlace placeOf(const std::vector<std::string>& parents) {
  SchemaPlace place;
  std::size_t first = 0;
  if (!parents.empty() && parents[0] == "reference") {
    place.isRun = true;
    first = 1;
  } else if (!parents.empty() && parents[0] == "variants") {
    place.isRun = true;
    place.isKnown = parents.size() > 1;
    first = 2;
  }
  for (std::size_t i = first; i < parents.size(); ++i) {
    place.section += (place.section.empty() ? "" : ".") + parents[i];
  }
  return place;
}

std::string pathOf(const SchemaPlace& place, std::string_view key) {
  return place.section.empty() ? std::string(key) : place.section + '.' + std::string(key);
}

void addKeys(const SchemaPlace& place, bool dotted, std::vector<Completion>& all) {
  const auto addSection = [&](std::string_view name, std::string_view help) {
    if (std::ranges::find(all, name, &Completion::text) == all.end()) {
      all.push_back({std::string(name), std::string(name) + ':', std::string(help)});
    }
  };
  for (const Key& key : schemaKeys()) {
    if (place.isRun && key.scope != KeyScope::Run) {
      continue;
    }
    std::string_view name = key.path;
    if (!place.section.empty()) {
      if (!name.starts_with(place.section + '.')) {
        continue;
      }
      name.remove_prefix(place.section.size() + 1);
    }
    const std::size_t dot = name.find('.');
    if (dot == kNone || dotted || place.isRun) {
      all.push_back({std::string(name), std::string(name) + ": ", std::string(key.help)});
    } else {
      addSection(name.substr(0, dot), "");
    }
  }
  if (place.section.empty() && !place.isRun) {
    addSection("reference", "Overrides of the reference run, on top of float32 everywhere.");
    addSection("variants", "Names and overrides of the variants.");
  }
}

void addValues(const Key& key, std::vector<Completion>& all) {
  const auto add = [&](std::string_view value) {
    all.push_back({std::string(value), std::string(value), std::string(key.help)});
  };
  for (const std::string_view choice : key.choices) {
    add(choice);
  }
  if (key.type == ValueType::Boolean) {
    add("true");
    add("false");
  } else if (key.type == ValueType::DeviceName) {
    for (const std::string_view device : {"auto", "cpu", "cuda", "cuda:0", "cuda:all"}) {
      add(device);
    }
  }
}

/// Those that begin with the word before those that contain it.
std::vector<Completion> matching(std::vector<Completion> all, std::string_view word) {
  const std::string typed = asciiLower(word);
  const auto placeIn = [&](const Completion& item) { return asciiLower(item.text).find(typed); };
  std::erase_if(all, [&](const Completion& item) { return placeIn(item) == kNone; });
  std::stable_partition(
      all.begin(), all.end(), [&](const Completion& item) { return placeIn(item) == 0; });
  return all;
}

}  // namespace

TextContext contextAt(std::string_view yaml, std::size_t offset) {
  offset = std::min(offset, yaml.size());
  TextContext context;
  const std::size_t start = lineStart(yaml, offset);
  const std::string_view before = yaml.substr(start, offset - start);
  if (commentStart(before) < before.size()) {
    context.isText = false;
    return context;
  }
  const std::vector<std::string_view> lines = ulp::split(yaml, '\n');
  const auto row = static_cast<std::size_t>(
      std::count(yaml.begin(), yaml.begin() + static_cast<std::ptrdiff_t>(start), '\n'));
  const std::size_t indent = std::min(before.find_first_not_of(' '), before.size());
  findParents(lines, row, indent, context);
  findSiblings(lines, row, indent, context);
  const std::size_t colon = colonOf(before);
  const bool isItem = before.substr(indent).starts_with("- ");
  if (isItem || before.substr(indent).starts_with('[')) {
    context.isText = false;
  } else if (before.substr(indent).starts_with('{')) {
    BracketWalk(context).walk(before.substr(indent), start + indent);
  } else if (colon == kNone) {
    context.begin = start + indent;
    context.key = trimmed(before);
  } else {
    context.isValue = true;
    context.key = unquoted(before.substr(0, colon));
    BracketWalk(context).walk(before.substr(colon + 1), start + colon + 1);
  }
  return context;
}

const Key* keyAt(std::string_view yaml, std::size_t offset) {
  // The whole key counts, not only what stands before the place.
  std::size_t end = std::min(offset, yaml.size());
  const std::size_t start = lineStart(yaml, end);
  const std::size_t lineEnd = start + lineAt(yaml, start).size();
  while (end < lineEnd && (std::isalnum(static_cast<unsigned char>(yaml[end])) != 0 ||
                           yaml[end] == '_' || yaml[end] == '.')) {
    ++end;
  }
  const TextContext context = contextAt(yaml, end);
  return context.isText ? findKey(pathOf(placeOf(context.parents), context.key)) : nullptr;
}

Completions completeStudy(std::string_view yaml, std::size_t offset) {
  const TextContext context = contextAt(yaml, offset);
  Completions result{.begin = context.begin, .items = {}};
  const SchemaPlace place = placeOf(context.parents);
  if (!context.isText || !place.isKnown) {
    return result;
  }
  const std::string_view word =
      yaml.substr(context.begin, std::min(offset, yaml.size()) - context.begin);
  std::vector<Completion> all;
  if (context.isValue) {
    if (const Key* key = findKey(pathOf(place, context.key))) {
      addValues(*key, all);
    }
  } else {
    addKeys(place, word.find('.') != kNone, all);
    std::erase_if(all, [&](const Completion& item) {
      return std::ranges::find(context.siblings, item.text) != context.siblings.end();
    });
  }
  result.items = matching(std::move(all), word);
  return result;
}

}  // namespace ulp::study
