#include "core/study/yaml/yaml_edit.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/study/yaml/yaml_proof.h"
#include "core/study/yaml/yaml_text.h"
#include "core/study/yaml/yaml_write.h"

namespace ulp::study {
namespace {

using Kind = YamlNode::Kind;
using Place = YamlText::Place;

YamlPath parentOf(const YamlPath& path) {
  return {path.begin(), path.end() - 1};
}

std::string replaced(std::string_view text, TextSpan span, std::string_view by) {
  return std::string(text.substr(0, span.begin)) + std::string(by) +
         std::string(text.substr(span.end));
}

char quoteOf(std::string_view written) {
  return !written.empty() && (written.front() == '"' || written.front() == '\'') ? written.front()
                                                                                 : '\0';
}

std::string indented(std::size_t columns) {
  std::string blanks;
  blanks.resize(columns, ' ');
  return blanks;
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
  EntryStyle style{.column = 0,
                   .step = document.indentStep(),
                   .lines = writesLines(*map.layout, map.parent == nullptr),
                   .lineEnd = document.lineEnd()};
  if (map.layout->isFlow) {
    style.lines = false;
    const std::string added = writeEntry(entry, style);
    if (slots.empty()) {
      const std::size_t open = map.layout->span.begin + 1;
      return replaced(text, {open, open}, added);
    }
    if (index < slots.size()) {
      const std::size_t at = slots[index].core.begin;
      return replaced(text, {at, at}, added + ", ");
    }
    const std::size_t at = slots.back().core.end;
    return replaced(text, {at, at}, ", " + added);
  }
  style.column = map.layout->column;
  const std::string lead = indented(style.column);
  if (index == 0) {
    const std::size_t at =
        style.column > 0 ? slots[0].chunk.begin : document.lineStart(slots[0].core.begin);
    const std::string added = lead + writeEntry(entry, style) + std::string(style.lineEnd);
    return replaced(text, {at, at}, added);
  }
  const std::size_t at = slots[std::min(index, slots.size()) - 1].chunk.end;
  return replaced(text, {at, at}, std::string(style.lineEnd) + lead + writeEntry(entry, style));
}

/// The first entry of what has no value yet.
std::string insertIntoNothing(const YamlText& document,
                              const Place& map,
                              const YamlNode::Entry& entry) {
  const std::string_view text = document.text();
  EntryStyle style{.column = 0,
                   .step = document.indentStep(),
                   .lines = map.parent == nullptr,
                   .lineEnd = document.lineEnd()};
  if (map.parent == nullptr) {
    const bool needsEnd = !text.empty() && text.back() != '\n' && text != "\xef\xbb\xbf";
    return std::string(text) + (needsEnd ? std::string(style.lineEnd) : "") +
           writeEntry(entry, style) + std::string(style.lineEnd);
  }
  if (map.parent->isFlow) {
    const bool hasColon = map.entry->colon > map.entry->key.end ||
                          (map.entry->colon < text.size() && text[map.entry->colon] == ':');
    const std::size_t at = map.layout->span.begin;
    return replaced(text, {at, at}, (hasColon ? " {" : ": {") + writeEntry(entry, style) + '}');
  }
  style.column = map.parent->column + style.step;
  const std::size_t at = document.lineStop(map.entry->colon);
  return replaced(text,
                  {at, at},
                  std::string(style.lineEnd) + indented(style.column) + writeEntry(entry, style));
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
  const bool isTaken = std::any_of(
      target.entries.begin(), target.entries.end(), [&](auto& e) { return e.key == entry.key; });
  if (isTaken) {
    return fail(ErrorCode::InvalidArgument, fmt::format("there is a key '{}' already", entry.key));
  }
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
  const std::string_view old = text.substr(span.begin, span.end - span.begin);
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
  const std::string_view old = text.substr(item.span.begin, item.span.end - item.span.begin);
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
  return replaced(document.text(), {at, at}, added);
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
    auto next = stepItems(*document, *place, value);
    if (!next) {
      return next;
    }
    text = std::move(*next);
  }
  return refuse();
}

Result<std::string> setEntries(std::string text, const YamlPath& path, const YamlNode& value) {
  const auto tree = parseYaml(text, "study");
  YamlNode root = *tree;
  for (const YamlNode::Entry& entry : nodeAt(root, path).entries) {
    const bool stays = std::any_of(value.entries.begin(), value.entries.end(), [&](const auto& e) {
      return e.key == entry.key;
    });
    if (!stays) {
      YamlPath gone = path;
      gone.push_back(entry.key);
      auto next = removeYaml(text, gone, Comments::Keep);
      if (!next) {
        return next;
      }
      text = std::move(*next);
    }
  }
  for (const YamlNode::Entry& entry : value.entries) {
    YamlPath child = path;
    child.push_back(entry.key);
    auto next = setYaml(text, child, entry.value);
    if (!next) {
      return next;
    }
    text = std::move(*next);
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

tl::unexpected<Error> taken(std::string_view key) {
  return fail(ErrorCode::InvalidArgument, fmt::format("there is a key '{}' already", key));
}

bool hasKey(const YamlNode& map, std::string_view key) {
  return std::any_of(
      map.entries.begin(), map.entries.end(), [&](const auto& entry) { return entry.key == key; });
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
  const auto document = YamlText::read(yaml);
  return document ? insertAt(*document, map, index, entry)
                  : tl::unexpected<Error>(document.error());
}

Result<std::string> removeYaml(std::string_view yaml, const YamlPath& path, Comments comments) {
  const auto found = ULP_TRY(findEntry(yaml, path));
  auto text = removeSlot(found.document, *found.place.parent, found.place.index, comments);
  if (!text) {
    return text;
  }
  YamlNode expected = found.document.tree();
  auto& entries = nodeAt(expected, parentOf(path)).entries;
  entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(found.place.index));
  return proven(std::move(*text), expected);
}

Result<std::string> renameYaml(std::string_view yaml, const YamlPath& path, std::string_view key) {
  const auto found = ULP_TRY(findEntry(yaml, path));
  YamlNode expected = found.document.tree();
  YamlNode& parent = nodeAt(expected, parentOf(path));
  if (key == path.back()) {
    return std::string(yaml);
  }
  if (hasKey(parent, key)) {
    return taken(key);
  }
  parent.entries[found.place.index].key = key;
  const TextSpan span = found.place.entry->key;
  const char quote = quoteOf(yaml.substr(span.begin, span.end - span.begin));
  return proven(replaced(yaml, span, writeScalar(key, quote)), expected);
}

Result<std::string> copyYaml(std::string_view yaml, const YamlPath& path, std::string_view key) {
  const auto found = ULP_TRY(findEntry(yaml, path));
  YamlNode expected = found.document.tree();
  YamlNode& parent = nodeAt(expected, parentOf(path));
  if (hasKey(parent, key)) {
    return taken(key);
  }
  const std::size_t index = found.place.index;
  YamlNode::Entry copy = parent.entries[index];
  copy.key = key;
  parent.entries.insert(parent.entries.begin() + static_cast<std::ptrdiff_t>(index) + 1, copy);
  const TextSpan chunk = found.slots[index].chunk;
  const TextSpan old = found.place.entry->key;
  const std::string text =
      replaced(yaml.substr(chunk.begin, chunk.end - chunk.begin),
               {old.begin - chunk.begin, old.end - chunk.begin},
               writeScalar(key, quoteOf(yaml.substr(old.begin, old.end - old.begin))));
  const bool isFlow = found.place.parent->isFlow;
  const std::string gap = isFlow ? ", " : std::string(found.document.lineEnd());
  return proven(replaced(yaml, {chunk.end, chunk.end}, gap + text), expected);
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
  std::vector<std::size_t> order(slots.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    order[i] = i;
  }
  YamlNode expected = document.tree();
  auto& entries = nodeAt(expected, map).entries;
  const auto move = [&](auto& list) {
    const auto first = list.begin() + static_cast<std::ptrdiff_t>(std::min(from, to));
    const auto last = list.begin() + static_cast<std::ptrdiff_t>(std::max(from, to)) + 1;
    std::rotate(first, from < to ? first + 1 : last - 1, last);
  };
  move(order);
  move(entries);
  // What stands between the entries stays where it is; the entries change places.
  std::string text(yaml.substr(0, slots.front().chunk.begin));
  for (std::size_t i = 0; i < order.size(); ++i) {
    const TextSpan chunk = slots[order[i]].chunk;
    const std::size_t gapEnd = i + 1 < order.size() ? slots[i + 1].chunk.begin : yaml.size();
    text += yaml.substr(chunk.begin, chunk.end - chunk.begin);
    text += yaml.substr(slots[i].chunk.end, gapEnd - slots[i].chunk.end);
  }
  return proven(std::move(text), expected);
}

}  // namespace ulp::study
