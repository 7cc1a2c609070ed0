#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/study/reading/study.h"
#include "core/study/schema/schema.h"
#include "core/study/yaml/yaml_tree.h"
#include "views/framework/tables/row_table_model.h"

namespace ulp::views {

/// What one run overrides, as it is written.
struct VariantRow {
  std::string name;
  std::map<std::string, std::string, std::less<>> overrides;  ///< key -> value
  study::Settings used{};  ///< of the keys that some run overrides, where they are known
  bool isReference = false;
};

/// The reference first, then the variants in the order of the text.
[[nodiscard]] std::vector<VariantRow> variantRows(const study::YamlNode& tree);

/// Runs and what they override; where they do not, what they use all the same, dimmed. Setting data
/// changes nothing here: it asks for the change.
class VariantsModel : public RowTableModel<VariantRow> {
  Q_OBJECT

 public:
  explicit VariantsModel(QObject* parent = nullptr);

  /// `effective` may be of an older, valid text: it is looked up by name.
  void setContent(std::vector<VariantRow> rows, const study::EffectiveTable& effective);
  void setReadOnly(bool readOnly) { m_isReadOnly = readOnly; }

  [[nodiscard]] QString name(int row) const;
  /// Null: the column of names.
  [[nodiscard]] const study::Key* keyOf(int column) const;

  [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;

 Q_SIGNALS:
  void renameRequested(const QString& variant, const QString& to);
  /// `row` 0 is the reference; an empty value takes the override away.
  void overrideRequested(int row, const QString& key, const QString& value);

 private:
  std::vector<const study::Key*> m_keys;
  bool m_isReadOnly = false;
};

/// "study", "fp32 everywhere", … in the user's language.
[[nodiscard]] QString originText(study::Origin origin, bool isReference);

}  // namespace ulp::views
