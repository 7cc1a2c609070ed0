#include "views/plugins/study/variants/variants_model.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string_view>
#include <utility>

#include "core/study/editing/study_edit.h"
#include "core/study/yaml/yaml_write.h"
#include "views/framework/words/utf8_text.h"
#include "views/plugins/study/form/key_names.h"

namespace ulp::views {
namespace {

VariantRow readRow(const study::YamlNode& tree,
                   const study::KeyOwner& owner,
                   const std::string& name) {
  VariantRow row{.name = name};
  for (const study::Key& key : study::schemaKeys()) {
    if (key.scope != study::KeyScope::Run) {
      continue;
    }
    if (const study::YamlNode* value = study::writtenValue(tree, owner, key.path)) {
      row.overrides.emplace(
          key.path,
          value->kind == study::YamlNode::Kind::Scalar ? value->text : study::writeFlow(*value));
    }
  }
  return row;
}

/// Keys that any of the rows overrides, in the order of the schema.
std::vector<const study::Key*> overriddenKeys(const std::vector<VariantRow>& rows) {
  std::vector<const study::Key*> keys;
  for (const study::Key& key : study::schemaKeys()) {
    if (std::ranges::any_of(
            rows, [&](const VariantRow& row) { return row.overrides.contains(key.path); })) {
      keys.push_back(&key);
    }
  }
  return keys;
}

/// Notes in each row what its run uses of these keys; nothing where that is not known.
void addUsed(std::vector<VariantRow>& rows,
             const std::vector<const study::Key*>& keys,
             const study::EffectiveTable& effective) {
  std::vector<const study::EffectiveRow*> shown;
  for (const study::Key* key : keys) {
    const auto row = std::ranges::find(effective.rows, key->path, &study::EffectiveRow::key);
    if (row != effective.rows.end()) {
      shown.push_back(&*row);
    }
  }
  std::map<std::string_view, std::size_t> columns;
  for (std::size_t i = 0; i < effective.runs.size(); ++i) {
    columns.emplace(effective.runs[i], i);
  }
  for (VariantRow& row : rows) {
    const auto column = columns.find(row.name);
    for (const study::EffectiveRow* each : shown) {
      if (column != columns.end()) {
        row.used[each->key] = each->cells[column->second];
      }
    }
  }
}

QVariant overrideCell(const VariantRow& run, const study::Key& key, int role) {
  const auto written = run.overrides.find(key.path);
  const bool isSet = written != run.overrides.end();
  const QString value = isSet ? QString::fromStdString(written->second) : QString();
  const auto used = run.used.find(key.path);
  const bool isKnown = used != run.used.end();
  switch (role) {
    case Qt::DisplayRole:
    case RawRole:
      if (isSet) {
        return value;
      }
      return isKnown ? QString::fromStdString(used->second.value) : missingText();
    case Qt::EditRole:
      return value;
    case DimRole:
      return !isSet;
    case Qt::ToolTipRole:
      if (isSet) {
        return VariantsModel::tr("%1 overrides %2")
            .arg(QString::fromStdString(run.name), utf8Text(key.path));
      }
      return isKnown ? VariantsModel::tr("Not overridden; set by: %1")
                           .arg(originText(used->second.origin, run.isReference))
                     : QString();
    default:
      return {};
  }
}

std::vector<Column<VariantRow>> variantColumns(const std::vector<const study::Key*>& keys) {
  const auto name = [](const VariantRow& row) { return QString::fromStdString(row.name); };
  const auto help = [name](const VariantRow& row) {
    return row.isReference ? VariantsModel::tr(
                                 "Runs first, in float32 unless overridden; the "
                                 "variants are compared with it")
                           : name(row);
  };
  std::vector<Column<VariantRow>> columns{{.title = VariantsModel::tr("Variant"),
                                           .roles = {{Qt::DisplayRole, name},
                                                     {Qt::EditRole, name},
                                                     {Qt::ToolTipRole, help},
                                                     {DimRole, &VariantRow::isReference}}}};
  for (const study::Key* key : keys) {
    columns.push_back(
        {.title = keyName(*key),
         .toolTip = keyToolTip(*key),
         .cell = [key](const VariantRow& row, int role) { return overrideCell(row, *key, role); }});
  }
  return columns;
}

}  // namespace

std::vector<VariantRow> variantRows(const study::YamlNode& tree) {
  using Kind = study::KeyOwner::Kind;
  std::vector<VariantRow> rows{
      readRow(tree, {Kind::Reference, {}}, std::string(study::kReferenceName))};
  for (const std::string& name : study::variantNames(tree)) {
    rows.push_back(readRow(tree, {Kind::Variant, name}, name));
  }
  return rows;
}

QString originText(study::Origin origin, bool isReference) {
  switch (origin) {
    case study::Origin::Default:
      return VariantsModel::tr("default");
    case study::Origin::Study:
      return VariantsModel::tr("study");
    case study::Origin::ReferenceFp32:
      return VariantsModel::tr("fp32 everywhere");
    case study::Origin::Variant:
      return isReference ? VariantsModel::tr("reference") : VariantsModel::tr("variant");
    case study::Origin::CommandLine:
      return VariantsModel::tr("command line");
    case study::Origin::Run:
      return VariantsModel::tr("run");
  }
  return {};
}

VariantsModel::VariantsModel(QObject* parent) : RowTableModel(parent) {
  RowTableModel::setContent(variantColumns({}), nullptr);
}

void VariantsModel::setContent(std::vector<VariantRow> rows,
                               const study::EffectiveTable& effective) {
  std::vector<const study::Key*> keys = overriddenKeys(rows);
  addUsed(rows, keys, effective);
  for (VariantRow& row : rows) {
    row.isReference = &row == &rows.front();
  }
  auto shown = std::make_shared<const std::vector<VariantRow>>(std::move(rows));
  if (keys == m_keys) {
    setRows(std::move(shown));
  } else {
    m_keys = std::move(keys);
    RowTableModel::setContent(variantColumns(m_keys), std::move(shown));
  }
}

QString VariantsModel::name(int row) const {
  return QString::fromStdString(this->row(row).name);
}

const study::Key* VariantsModel::keyOf(int column) const {
  return column <= 0 ? nullptr : m_keys[static_cast<std::size_t>(column - 1)];
}

Qt::ItemFlags VariantsModel::flags(const QModelIndex& index) const {
  Qt::ItemFlags flags = RowTableModel::flags(index);
  const bool isReferenceName = index.row() == 0 && index.column() == 0;
  if (index.isValid() && !m_isReadOnly && !isReferenceName) {
    flags |= Qt::ItemIsEditable;
  }
  return flags;
}

bool VariantsModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::EditRole || !(flags(index) & Qt::ItemIsEditable)) {
    return false;
  }
  const QString text = value.toString().trimmed();
  if (text == data(index, Qt::EditRole).toString()) {
    return false;
  }
  if (const study::Key* key = keyOf(index.column())) {
    Q_EMIT overrideRequested(index.row(), utf8Text(key->path), text);
  } else if (!text.isEmpty()) {
    Q_EMIT renameRequested(name(index.row()), text);
  }
  // The change comes back through setContent() when the text could be changed.
  return false;
}

}  // namespace ulp::views
