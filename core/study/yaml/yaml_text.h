#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/study/yaml/yaml_edit.h"
#include "core/study/yaml/yaml_layout.h"
#include "core/study/yaml/yaml_tree.h"

namespace ulp::study {

/// A part of a map or list with the text that goes where it goes.
struct YamlSlot {
  TextSpan core;   ///< `key: value` or, in a block list, `- value`
  TextSpan chunk;  ///< of block style: the whole lines, with the comments that belong to it,
                   ///< without the last line end; of flow style: the core
};

/// A YAML text with its meaning and its layout, to look things up in. The text must outlive it.
class YamlText {
 public:
  /// Errors: InvalidArgument, Unsupported.
  [[nodiscard]] static Result<YamlText> read(std::string_view text);

  struct Place {
    const YamlNode* node = nullptr;
    const YamlLayout* layout = nullptr;
    const YamlLayout::Entry* entry = nullptr;  ///< null: the root, or an item of a list
    const YamlLayout* parent = nullptr;        ///< null: the root
    std::size_t index = 0;                     ///< in the parent
  };
  /// Errors: NotFound; Unsupported where the path leads through an alias.
  [[nodiscard]] Result<Place> find(const YamlPath& path) const;
  [[nodiscard]] Place root() const { return {.node = m_tree.get(), .layout = m_layout.get()}; }

  [[nodiscard]] std::string_view text() const { return m_text; }
  [[nodiscard]] const YamlNode& tree() const { return *m_tree; }
  [[nodiscard]] std::string_view lineEnd() const { return m_lineEnd; }

  [[nodiscard]] std::size_t lineStart(std::size_t position) const {
    return study::lineStart(m_text, position);
  }
  /// Before the line end, or the end of the text.
  [[nodiscard]] std::size_t lineStop(std::size_t position) const;
  /// The comments of the lines of [begin, end), each from its '#'.
  [[nodiscard]] std::vector<std::string> commentsIn(std::size_t begin, std::size_t end) const;
  /// Errors: Unsupported where an entry shares its first line with something else.
  [[nodiscard]] Result<std::vector<YamlSlot>> slotsOf(const YamlLayout& parent) const;
  /// Columns by which the document indents.
  [[nodiscard]] std::size_t indentStep() const;

 private:
  YamlText() = default;
  [[nodiscard]] TextSpan withComments(const YamlLayout& parent,
                                      TextSpan core,
                                      std::size_t after) const;
  [[nodiscard]] bool isCommentLine(std::size_t start, std::size_t minColumn, bool exactly) const;

  std::string_view m_text;
  // On the heap, so that a Place stays valid when this object moves.
  std::unique_ptr<YamlNode> m_tree;
  std::unique_ptr<YamlLayout> m_layout;
  std::string_view m_lineEnd = "\n";
};

/// Finds where the comment of a line begins, or gives its length: a '#' outside quotes, at the
/// start or behind a blank.
[[nodiscard]] std::size_t commentStart(std::string_view line);

}  // namespace ulp::study
