#pragma once

#include <map>
#include <string>
#include <vector>

#include <QtCore/QAbstractTableModel>

#include "core/study/reading/study.h"
#include "core/study/yaml/yaml_tree.h"

namespace ulp::views {

/// What one run overrides, as it is written.
struct VariantRow {
  std::string name;
  std::map<std::string, std::string, std::less<>> overrides;  ///< key -> value
};

/// The reference first, then the variants in the order of the text.
[[nodiscard]] std::vector<VariantRow> variantRows(const study::YamlNode& tree);
/// Keys that any of the rows overrides, in the order of the schema.
[[nodiscard]] std::vector<std::string> overriddenKeys(const std::vector<VariantRow>& rows);

/// Runs and what they override; where they do not, what they use all the same, dimmed. Setting data
/// changes nothing here: it asks for the change.
class VariantsModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  using QAbstractTableModel::QAbstractTableModel;

  /// `effective` may be of an older, valid text: it is looked up by name.
  void setContent(std::vector<VariantRow> rows, study::EffectiveTable effective);
  void setReadOnly(bool readOnly) { m_isReadOnly = readOnly; }

  [[nodiscard]] const VariantRow& row(int row) const {
    return m_rows[static_cast<std::size_t>(row)];
  }
  [[nodiscard]] QString name(int row) const;
  /// Empty: the column of names.
  [[nodiscard]] std::string keyOf(int column) const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section,
                                    Qt::Orientation orientation,
                                    int role) const override;
  [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;

 Q_SIGNALS:
  void renameRequested(const QString& variant, const QString& to);
  /// `row` 0 is the reference; an empty value takes the override away.
  void overrideRequested(int row, const QString& key, const QString& value);

 private:
  [[nodiscard]] const study::Setting* effective(std::string_view run, std::string_view key) const;
  [[nodiscard]] QVariant cell(int row, const std::string& key, int role) const;

  std::vector<VariantRow> m_rows;
  std::vector<std::string> m_keys;
  study::EffectiveTable m_effective;
  bool m_isReadOnly = false;
};

/// "study", "fp32 everywhere", … in the user's language.
[[nodiscard]] QString originText(study::Origin origin, bool isReference);

}  // namespace ulp::views
