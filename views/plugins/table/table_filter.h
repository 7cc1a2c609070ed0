#pragma once

#include <functional>
#include <optional>
#include <vector>

#include <QtCore/QString>
#include <QtCore/QStringList>

#include "core/base/result.h"
#include "core/base/text/regular_expression.h"
#include "views/framework/words/filter_text.h"
#include "views/plugins/table/tensor_columns.h"

namespace ulp::views {

/// What the line above the table asks of its rows: all of its words, whatever their case, or one
/// regular expression for tensor and module. Words are parts of either; `variant:fp16`,
/// `pass:backward`, `format:bf`, `kernel:gemm` and `rules:fail` ask for what is called so, and
/// `rms_rel > 5`, `nan>0` or `layer <= 3` for values, in the unit of their column. What has blanks
/// stands in quotes: `"RMS rel" > 5`.
class TableFilter {
 public:
  /// Errors: InvalidArgument, with what cannot be understood.
  [[nodiscard]] static Result<TableFilter> make(const ReportDocument& document,
                                                const QString& text,
                                                bool regex);

  /// Tells whether it says itself which variants are shown.
  [[nodiscard]] bool namesVariants() const { return m_namesVariants; }
  /// The same of passes.
  [[nodiscard]] bool namesPasses() const { return !m_passes.isEmpty(); }
  [[nodiscard]] bool acceptsVariant(int variant) const {
    return m_variants[static_cast<std::size_t>(variant)];
  }
  /// Errors: those of RegularExpression::isFoundIn().
  [[nodiscard]] Result<bool> acceptsSite(const Site& site) const;
  /// Asks for the values of a row whose variant and site are accepted.
  [[nodiscard]] bool acceptsRow(const ReportDocument& document, const TensorRow& row) const;
  /// `verdicts`: null where no rules are asked, so that no row has a verdict.
  [[nodiscard]] bool acceptsVerdict(const RuleVerdicts* verdicts, const TensorRow& row) const;

 private:
  using Number = std::function<double(const ReportDocument&, const TensorRow&)>;
  struct Condition {
    Number value;
    FilterComparison comparison;  ///< with a number
  };

  /// Takes the comparisons of values out of `text`.
  [[nodiscard]] Result<QString> takeConditions(const ReportDocument& document, const QString& text);
  void addWord(const ReportDocument& document, const QString& word);
  void addKernel(const ReportDocument& document, const QString& part);
  [[nodiscard]] bool acceptsKernels(const ReportDocument& document, const TensorRow& row) const;
  [[nodiscard]] static std::optional<Number> numberOf(const ReportDocument& document,
                                                      const QString& name);

  QStringList m_words;
  QStringList m_passes;
  QStringList m_formats;
  QStringList m_judgements;
  /// By word and variant: which kernels of the run are called so.
  std::vector<std::vector<std::vector<bool>>> m_kernels;
  std::vector<bool> m_variants;
  bool m_namesVariants = false;
  std::vector<Condition> m_conditions;
  std::optional<RegularExpression> m_expression;
};

/// Tells whether a text that was meant as words can be read as an expression, and has what only
/// expressions have: `decoder\.[01]`.
[[nodiscard]] bool looksLikeExpression(const QString& text);

}  // namespace ulp::views
