#include "core/study/yaml/yaml_edit.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/study/yaml/yaml_text.h"
#include "core/study/yaml/yaml_write.h"

namespace ulp::study {
namespace {

using Kind = YamlNode::Kind;
using Place = YamlText::Place;

// ---- proof ------------------------------------------------------------------------------------

/// An empty map and no value say the same.
bool isNothing(const YamlNode& node) {
  return node.kind == Kind::Null || (node.kind == Kind::Map && node.entries.empty());
}

/// Two trees say the same; an empty map and no value do, too.
bool means(const YamlNode& a, const YamlNode& b) {
  if (isNothing(a) || isNothing(b)) {
    return isNothing(a) && isNothing(b);
  }
  const auto sameEntry = [](const YamlNode::Entry& x, const YamlNode::Entry& y) {
    return x.key == y.key && means(x.value, y.value);
  };
  return a.kind == b.kind && a.text == b.text &&
         std::equal(a.items.begin(), a.items.end(), b.items.begin(), b.items.end(), means) &&
         std::equal(
             a.entries.begin(), a.entries.end(), b.entries.begin(), b.entries.end(), sameEntry);
}

/// The node at `path` of a tree that is known to have it.
YamlNode& nodeAt(YamlNode& root, const YamlPath& path) {
  return const_cast<YamlNode&>(*root.at(path));
}

/// The place is shared or written in a way that is not safe to change.
tl::unexpected<Error> refuse() {
  return fail(ErrorCode::Unsupported,
              "this part of the YAML is shared through an anchor or written in a way that cannot "
              "be changed here; edit the text");
}

/// The edited text, when it means `expected`.
Result<std::string> proven(std::string text, const YamlNode& expected) {
  const auto tree = parseYaml(text, "study");
  if (!tree || !means(*tree, expected)) {
    return refuse();
  }
  return text;
}

// ---- parts of the text ------------------------------------------------------------------------

YamlPath parentOf(const YamlPath& path) {
  return {path.begin(), path.end() - 1};
}

std::string replaced(std::string_view text, TextSpan span, std::string_view by) {
  return std::string(text.substr(0, span.begin)) + std::string(by) +
         std::string(text.substr(span.end));
}

std::string inserted(std::string_view text, std::size_t at, std::string_view what) {
  return replaced(text, {at, at}, what);
}

std::string_view cut(std::string_view text, TextSpan span) {
  return text.substr(span.begin, span.end - span.begin);
}

char quoteOf(std::string_view written) {
  return !written.empty() && (written.front() == '"' || written.front() == '\'') ? written.front()
                                                                                 : '\0';
}

std::string indented(std::size_t columns) {
  return std::string(columns, ' ');
}

/// Whether a map in `parent` is written in lines rather than in brackets: as the one before it.
bool writesLines(const YamlLayout& parent, bool isRoot) {
  bool lines = isRoot;
  for (const YamlLayout::Entry& entry : parent.entries) {
    if (entry.value.kind == YamlLayout::Kind::Map && !entry.value.entries.empty()) {
      lines = !entry.value.isFlow;
    }
  }
  return lines;
}

struct EntryStyle {
  std::size_t column = 0;
  std::size_t step = 2;
  bool lines = false;  ///< maps in lines, not in brackets
  std::string_view lineEnd = "\n";
};

EntryStyle styleOf(const YamlText& document, bool lines) {
  return {.step = document.indentStep(), .lines = lines, .lineEnd = document.lineEnd()};
}

/// `key: value`, from the second line on with its indentation.
std::string writeEntry(const YamlNode::Entry& entry, const EntryStyle& style) {
  std::string text = writeScalar(entry.key) + ':';
  if (!style.lines || entry.value.kind != Kind::Map || entry.value.entries.empty()) {
    return text + ' ' + writeFlow(entry.value);
  }
  EntryStyle inner = style;
  inner.column += style.step;
  inner.lines = false;
  for (const YamlNode::Entry& child : entry.value.entries) {
    text += std::string(style.lineEnd) + indented(inner.column) + writeEntry(child, inner);
  }
  return text;
}

/// Comments as lines of their own, each behind a line end.
std::string asLines(const std::vector<std::string>& comments,
                    std::size_t column,
                    std::string_view lineEnd) {
  std::string text;
  for (const std::string& comment : comments) {
    text += std::string(lineEnd) + indented(column) + comment;
  }
  return text;
}

// ---- insertion --------------------------------------------------------------------------------

std::string insertIntoText(const YamlText& document,
                           const Place& map,
                           const std::vector<YamlSlot>& slots,
                           std::size_t index,
                           const YamlNode::Entry& entry) {
  const std::string_view text = document.text();
  EntryStyle style = styleOf(document, writesLines(*map.layout, map.parent == nullptr));
  if (map.layout->isFlow) {
    style.lines = false;
    const std::string added = writeEntry(entry, style);
    if (slots.empty()) {
      return inserted(text, map.layout->span.begin + 1, added);
    }
    if (index < slots.size()) {
      return inserted(text, slots[index].core.begin, added + ", ");
    }
    return inserted(text, slots.back().core.end, ", " + added);
  }
  style.column = map.layout->column;
  const std::string lead = indented(style.column);
  if (index == 0) {
    const std::size_t at =
        style.column > 0 ? slots[0].chunk.begin : document.lineStart(slots[0].core.begin);
    return inserted(text, at, lead + writeEntry(entry, style) + std::string(style.lineEnd));
  }
  const std::size_t at = slots[std::min(index, slots.size()) - 1].chunk.end;
  return inserted(text, at, std::string(style.lineEnd) + lead + writeEntry(entry, style));
}

/// The first entry of what has no value yet.
std::string insertIntoNothing(const YamlText& document,
                              const Place& map,
                              const YamlNode::Entry& entry) {
  const std::string_view text = document.text();
  EntryStyle style = styleOf(document, map.parent == nullptr);
  if (map.parent == nullptr) {
    const bool needsEnd = !text.empty() && text.back() != '\n' && text != "\xef\xbb\xbf";
    return std::string(text) + (needsEnd ? std::string(style.lineEnd) : "") +
           writeEntry(entry, style) + std::string(style.lineEnd);
  }
  if (map.parent->isFlow) {
    const bool hasColon = map.entry->colon > map.entry->key.end ||
                          (map.entry->colon < text.size() && text[map.entry->colon] == ':');
    return inserted(
        text, map.layout->span.begin, (hasColon ? " {" : ": {") + writeEntry(entry, style) + '}');
  }
  style.column = map.parent->column + style.step;
  const std::size_t at = document.lineStop(map.entry->colon);
  return inserted(
      text, at, std::string(style.lineEnd) + indented(style.column) + writeEntry(entry, style));
}

/// Errors: InvalidArgument where the map has the key.
Result<> checkFree(const YamlNode& map, std::string_view key) {
  if (map.find(key) != nullptr) {
    return fail(ErrorCode::InvalidArgument, fmt::format("there is a key '{}' already", key));
  }
  return {};
}

Result<std::string> insertAt(const YamlText& document,
                             const YamlPath& path,
                             std::size_t index,
                             const YamlNode::Entry& entry) {
  const auto map = ULP_TRY(document.find(path));
  if (map.layout->kind != YamlLayout::Kind::Map && map.layout->kind != YamlLayout::Kind::Null) {
    if (map.layout->kind == YamlLayout::Kind::Alias) {
      return refuse();
    }
    const std::string where = path.empty() ? "the text" : fmt::format("'{}'", fmt::join(path, "."));
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{} is no map and cannot take the key '{}'", where, entry.key));
  }
  YamlNode expected = document.tree();
  YamlNode& target = nodeAt(expected, path);
  target.kind = Kind::Map;
  index = std::min(index, target.entries.size());
  ULP_TRY(checkFree(target, entry.key));
  target.entries.insert(target.entries.begin() + static_cast<std::ptrdiff_t>(index), entry);
  if (map.layout->kind == YamlLayout::Kind::Null) {
    return proven(insertIntoNothing(document, map, entry), expected);
  }
  const auto slots = ULP_TRY(document.slotsOf(*map.layout));
  return proven(insertIntoText(document, map, slots, index, entry), expected);
}

// ---- removal ----------------------------------------------------------------------------------

std::string removeFromFlow(std::string_view text,
                           const std::vector<YamlSlot>& slots,
                           std::size_t i) {
  const TextSpan core = slots[i].core;
  const bool isLast = i + 1 == slots.size();
  if (isLast && i == 0) {
    return replaced(text, core, "");
  }
  if (isLast) {
    // From behind the entry before, its comma included, unless comments stand between.
    const std::size_t before = slots[i - 1].core.end;
    const std::string_view gap = text.substr(before, core.begin - before);
    if (gap.find('#') == std::string_view::npos) {
      return replaced(text, {before, core.end}, "");
    }
    std::string result = replaced(text, core, "");
    result.erase(before + gap.find(','), 1);
    return result;
  }
  const std::size_t next = slots[i + 1].core.begin;
  const std::string_view gap = text.substr(core.end, next - core.end);
  if (gap.find_first_of("#\n") == std::string_view::npos) {
    return replaced(text, {core.begin, next}, "");
  }
  std::string result(text);
  result.erase(core.end + gap.find(','), 1);
  return replaced(result, core, "");
}

std::string removeFromLines(const YamlText& document,
                            const YamlLayout& parent,
                            const YamlSlot& slot,
                            Comments comments) {
  const std::string_view text = document.text();
  TextSpan gone = slot.chunk;
  std::string kept;
  if (comments == Comments::Keep) {
    gone = {document.lineStart(slot.core.begin), document.lineStop(slot.core.end)};
    kept =
        asLines(document.commentsIn(slot.core.begin, gone.end), parent.column, document.lineEnd());
  }
  if (!kept.empty()) {
    return replaced(text, gone, kept.substr(document.lineEnd().size()));
  }
  const std::size_t newline = text.find('\n', gone.end);
  gone.end = newline == std::string_view::npos ? text.size() : newline + 1;
  return replaced(text, gone, "");
}

Result<std::string> removeSlot(const YamlText& document,
                               const YamlLayout& parent,
                               std::size_t index,
                               Comments comments) {
  const auto slots = ULP_TRY(document.slotsOf(parent));
  return parent.isFlow ? removeFromFlow(document.text(), slots, index)
                       : removeFromLines(document, parent, slots[index], comments);
}

// ---- change of a value ------------------------------------------------------------------------

std::string writeLike(std::string_view written, const YamlNode& value) {
  const bool isPlainText = value.kind == Kind::Scalar && !value.quoted;
  return isPlainText ? writeScalar(value.text, quoteOf(written)) : writeFlow(value);
}

/// The value as a whole, in the place of what was there.
std::string replaceValue(const YamlText& document, const Place& place, const YamlNode& value) {
  const std::string_view text = document.text();
  const TextSpan span = place.layout->span;
  const std::string_view old = cut(text, span);
  if (place.layout->kind == YamlLayout::Kind::Null) {
    const bool inBrackets = place.parent != nullptr && place.parent->isFlow;
    const bool hasColon =
        place.entry == nullptr || !inBrackets || (span.begin > 0 && text[span.begin - 1] == ':');
    return replaced(text, span, (hasColon ? " " : ": ") + writeLike("", value));
  }
  const bool inOneLine = old.find('\n') == std::string_view::npos;
  const bool sharesLine =
      place.entry == nullptr || document.lineStart(span.begin) <= place.entry->colon;
  if (place.entry == nullptr || (inOneLine && sharesLine) || place.parent->isFlow) {
    return replaced(text, span, writeLike(old, value));
  }
  const std::size_t begin = place.entry->colon + 1;
  std::vector<std::string> comments = document.commentsIn(begin, document.lineStop(span.end));
  std::string written = ' ' + writeLike("", value);
  const std::size_t keyLine = document.lineStop(begin);
  const bool besideKey = !document.commentsIn(begin, keyLine).empty();
  if (besideKey) {
    written += "  " + comments.front();
    comments.erase(comments.begin());
  }
  written += asLines(comments, place.parent->column, document.lineEnd());
  return replaced(text, {begin, document.lineStop(span.end)}, written);
}

Result<std::string> setItems(std::string text, const YamlPath& path, const YamlNode& value);
Result<std::string> setEntries(std::string text, const YamlPath& path, const YamlNode& value);

Result<std::string> change(const std::string& text, const YamlPath& path, const YamlNode& value) {
  const auto document = ULP_TRY(YamlText::read(text));
  const auto place = ULP_TRY(document.find(path));
  if (means(*place.node, value) && place.node->kind == value.kind) {
    return text;
  }
  if (place.layout->kind == YamlLayout::Kind::Alias) {
    return refuse();
  }
  if (place.layout->kind == YamlLayout::Kind::List && value.kind == Kind::List &&
      !place.layout->items.empty() && !value.items.empty()) {
    return setItems(text, path, value);
  }
  if (place.layout->kind == YamlLayout::Kind::Map && value.kind == Kind::Map &&
      !place.layout->entries.empty()) {
    return setEntries(text, path, value);
  }
  YamlNode expected = document.tree();
  nodeAt(expected, path) = value;
  return proven(replaceValue(document, place, value), expected);
}

std::string replaceItem(const YamlText& document, const YamlLayout& item, const YamlNode& value) {
  const std::string_view text = document.text();
  const std::string_view old = cut(text, item.span);
  const std::string_view blank = item.kind == YamlLayout::Kind::Null ? " " : "";
  return replaced(text, item.span, std::string(blank) + writeLike(old, value));
}

std::string appendItem(const YamlText& document,
                       const YamlLayout& list,
                       const std::vector<YamlSlot>& slots,
                       const YamlNode& value) {
  const std::string written = writeLike("", value);
  const std::size_t at = list.isFlow ? slots.back().core.end : slots.back().chunk.end;
  const std::string added =
      list.isFlow ? ", " + written
                  : std::string(document.lineEnd()) + indented(list.column) + "- " + written;
  return inserted(document.text(), at, added);
}

/// One step towards `value`: an item that differs is changed where the lists are of one length,
/// else the first item that is too many goes, or the next is appended.
Result<std::string> stepItems(const YamlText& document, const Place& place, const YamlNode& value) {
  const std::vector<YamlNode>& have = place.node->items;
  const std::vector<YamlNode>& want = value.items;
  const auto [h, w] = std::mismatch(have.begin(), have.end(), want.begin(), want.end(), means);
  const auto at = static_cast<std::size_t>(h - have.begin());
  const YamlLayout& list = *place.layout;
  if (have.size() > want.size()) {
    return removeSlot(document, list, at, Comments::Keep);
  }
  if (at < have.size()) {
    return replaceItem(document, list.items[at], *w);
  }
  const auto slots = ULP_TRY(document.slotsOf(list));
  return appendItem(document, list, slots, *w);
}

Result<std::string> setItems(std::string text, const YamlPath& path, const YamlNode& value) {
  // Each step changes, removes or appends one item; more are a layout that does not obey.
  std::size_t steps = 2;
  YamlNode expected;
  for (std::size_t i = 0; i < steps; ++i) {
    const auto document = YamlText::read(text);
    if (!document) {
      return refuse();
    }
    const auto place = document->find(path);
    if (!place || place->node->kind != Kind::List) {
      return refuse();
    }
    if (i == 0) {
      expected = document->tree();
      nodeAt(expected, path) = value;
      steps = 2 + place->node->items.size() + value.items.size();
    }
    if (means(*place->node, value)) {
      return proven(text, expected);
    }
    text = ULP_TRY(stepItems(*document, *place, value));
  }
  return refuse();
}

Result<std::string> setEntries(std::string text, const YamlPath& path, const YamlNode& value) {
  const auto root = ULP_TRY(parseYaml(text, "study"));
  YamlPath child = path;
  child.emplace_back();
  for (const YamlNode::Entry& entry : root.at(path)->entries) {
    if (value.find(entry.key) == nullptr) {
      child.back() = entry.key;
      text = ULP_TRY(removeYaml(text, child, Comments::Keep));
    }
  }
  for (const YamlNode::Entry& entry : value.entries) {
    child.back() = entry.key;
    text = ULP_TRY(setYaml(text, child, entry.value));
  }
  return text;
}

/// `entry` below the keys `path[from..]`, as maps in each other.
YamlNode::Entry nested(const YamlPath& path, std::size_t from, const YamlNode& value) {
  YamlNode::Entry entry{path.back(), {}, value};
  for (std::size_t i = path.size() - 1; i-- > from;) {
    entry = {path[i], {}, mapNode({entry})};
  }
  return entry;
}

// ---- copies and order -------------------------------------------------------------------------

struct FoundEntry {
  YamlText document;
  Place place;
  std::vector<YamlSlot> slots;  ///< of its parent
};

Result<FoundEntry> findEntry(std::string_view yaml, const YamlPath& path) {
  auto document = ULP_TRY(YamlText::read(yaml));
  const auto place = ULP_TRY(document.find(path));
  if (place.parent == nullptr) {
    return fail(ErrorCode::InvalidArgument, "the whole document is no entry");
  }
  auto slots = ULP_TRY(document.slotsOf(*place.parent));
  return FoundEntry{std::move(document), place, std::move(slots)};
}

}  // namespace

Result<std::string> setYaml(std::string_view yaml, const YamlPath& path, const YamlNode& value) {
  const auto document = ULP_TRY(YamlText::read(yaml));
  YamlPath known;
  for (const std::string& key : path) {
    known.push_back(key);
    const auto place = document.find(known);
    if (!place && place.error().code() != ErrorCode::NotFound) {
      return tl::unexpected<Error>(place.error());
    }
    if (!place) {
      known.pop_back();
      const std::size_t depth = known.size();
      return insertAt(document, known, static_cast<std::size_t>(-1), nested(path, depth, value));
    }
  }
  return change(std::string(yaml), path, value);
}

Result<std::string> insertYaml(std::string_view yaml,
                               const YamlPath& map,
                               std::size_t index,
                               const YamlNode::Entry& entry) {
  const auto document = ULP_TRY(YamlText::read(yaml));
  return insertAt(document, map, index, entry);
}

Result<std::string> removeYaml(std::string_view yaml, const YamlPath& path, Comments comments) {
  const auto found = ULP_TRY(findEntry(yaml, path));
  auto text = ULP_TRY(removeSlot(found.document, *found.place.parent, found.place.index, comments));
  YamlNode expected = found.document.tree();
  auto& entries = nodeAt(expected, parentOf(path)).entries;
  entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(found.place.index));
  return proven(std::move(text), expected);
}

Result<std::string> renameYaml(std::string_view yaml, const YamlPath& path, std::string_view key) {
  const auto found = ULP_TRY(findEntry(yaml, path));
  YamlNode expected = found.document.tree();
  YamlNode& parent = nodeAt(expected, parentOf(path));
  if (key == path.back()) {
    return std::string(yaml);
  }
  ULP_TRY(checkFree(parent, key));
  parent.entries[found.place.index].key = key;
  const TextSpan span = found.place.entry->key;
  const char quote = quoteOf(cut(yaml, span));
  return proven(replaced(yaml, span, writeScalar(key, quote)), expected);
}

Result<std::string> copyYaml(std::string_view yaml, const YamlPath& path, std::string_view key) {
  const auto found = ULP_TRY(findEntry(yaml, path));
  YamlNode expected = found.document.tree();
  YamlNode& parent = nodeAt(expected, parentOf(path));
  ULP_TRY(checkFree(parent, key));
  const std::size_t index = found.place.index;
  YamlNode::Entry copy = parent.entries[index];
  copy.key = key;
  parent.entries.insert(parent.entries.begin() + static_cast<std::ptrdiff_t>(index) + 1, copy);
  const TextSpan chunk = found.slots[index].chunk;
  const TextSpan old = found.place.entry->key;
  const std::string text = replaced(cut(yaml, chunk),
                                    {old.begin - chunk.begin, old.end - chunk.begin},
                                    writeScalar(key, quoteOf(cut(yaml, old))));
  const bool isFlow = found.place.parent->isFlow;
  const std::string gap = isFlow ? ", " : std::string(found.document.lineEnd());
  return proven(inserted(yaml, chunk.end, gap + text), expected);
}

Result<std::string> moveYaml(std::string_view yaml,
                             const YamlPath& map,
                             std::size_t from,
                             std::size_t to) {
  const auto document = ULP_TRY(YamlText::read(yaml));
  const auto place = ULP_TRY(document.find(map));
  const auto slots = ULP_TRY(document.slotsOf(*place.layout));
  if (from >= slots.size() || to >= slots.size() || place.layout->kind != YamlLayout::Kind::Map) {
    return fail(ErrorCode::InvalidArgument, "there is no such entry to move");
  }
  std::vector<YamlSlot> moved = slots;
  YamlNode expected = document.tree();
  const auto move = [&](auto& list) {
    const auto first = list.begin() + static_cast<std::ptrdiff_t>(std::min(from, to));
    const auto last = list.begin() + static_cast<std::ptrdiff_t>(std::max(from, to)) + 1;
    std::rotate(first, from < to ? first + 1 : last - 1, last);
  };
  move(moved);
  move(nodeAt(expected, map).entries);
  // What stands between the entries stays where it is; the entries change places.
  std::string text(yaml.substr(0, slots.front().chunk.begin));
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const TextSpan chunk = moved[i].chunk;
    const std::size_t gapEnd = i + 1 < slots.size() ? slots[i + 1].chunk.begin : yaml.size();
    text += cut(yaml, chunk);
    text += yaml.substr(slots[i].chunk.end, gapEnd - slots[i].chunk.end);
  }
  return proven(std::move(text), expected);
}

}  // namespace ulp::study
