#include "views/plugins/study/variants/variants_model.h"

#include <algorithm>
#include <utility>

#include "core/study/editing/study_edit.h"
#include "core/study/yaml/yaml_write.h"
#include "views/framework/tables/table_roles.h"
#include "views/plugins/study/form/form_field.h"
#include "views/plugins/study/form/key_names.h"

namespace ulp::views {
namespace {

VariantRow readRow(const study::YamlNode& tree,
                   const study::KeyOwner& owner,
                   const std::string& name) {
  VariantRow row{.name = name, .overrides = {}};
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

std::vector<std::string> overriddenKeys(const std::vector<VariantRow>& rows) {
  std::vector<std::string> keys;
  for (const study::Key& key : study::schemaKeys()) {
    const bool isUsed = std::any_of(rows.begin(), rows.end(), [&](const VariantRow& row) {
      return row.overrides.contains(key.path);
    });
    if (isUsed) {
      keys.emplace_back(key.path);
    }
  }
  return keys;
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

void VariantsModel::setContent(std::vector<VariantRow> rows, study::EffectiveTable effective) {
  std::vector<std::string> keys = overriddenKeys(rows);
  const bool sameShape = keys == m_keys && rows.size() == m_rows.size();
  if (!sameShape) {
    beginResetModel();
  }
  m_rows = std::move(rows);
  m_keys = std::move(keys);
  m_effective = std::move(effective);
  if (!sameShape) {
    endResetModel();
  } else if (!m_rows.empty()) {
    Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
  }
}

QString VariantsModel::name(int row) const {
  return QString::fromStdString(this->row(row).name);
}

std::string VariantsModel::keyOf(int column) const {
  return column <= 0 ? std::string() : m_keys[static_cast<std::size_t>(column - 1)];
}

int VariantsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int VariantsModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_keys.size()) + 1;
}

const study::Setting* VariantsModel::effective(std::string_view run, std::string_view key) const {
  const auto column = std::find(m_effective.runs.begin(), m_effective.runs.end(), run);
  const auto row = std::find_if(m_effective.rows.begin(),
                                m_effective.rows.end(),
                                [&](const auto& each) { return each.key == key; });
  if (column == m_effective.runs.end() || row == m_effective.rows.end()) {
    return nullptr;
  }
  return &row->cells[static_cast<std::size_t>(column - m_effective.runs.begin())];
}

QVariant VariantsModel::cell(int row, const std::string& key, int role) const {
  const VariantRow& run = this->row(row);
  const auto set = run.overrides.find(key);
  const study::Setting* used = effective(run.name, key);
  switch (role) {
    case Qt::DisplayRole:
    case RawRole:
      if (set != run.overrides.end()) {
        return QString::fromStdString(set->second);
      }
      return used == nullptr ? QStringLiteral("–") : QString::fromStdString(used->value);
    case Qt::EditRole:
      return set == run.overrides.end() ? QString() : QString::fromStdString(set->second);
    case DimRole:
      return set == run.overrides.end();
    case Qt::ToolTipRole:
      if (set != run.overrides.end()) {
        return tr("%1 overrides %2").arg(name(row), QString::fromStdString(key));
      }
      return used == nullptr
                 ? QString()
                 : tr("Not overridden; set by: %1").arg(originText(used->origin, row == 0));
    default:
      return {};
  }
}

QVariant VariantsModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
    return {};
  }
  if (index.column() > 0) {
    return cell(index.row(), keyOf(index.column()), role);
  }
  switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole:
    case RawRole:
      return name(index.row());
    case Qt::ToolTipRole:
      return index.row() == 0 ? tr("Runs first, in float32 unless overridden; the variants are "
                                   "compared with it")
                              : name(index.row());
    case DimRole:
      return index.row() == 0;
    default:
      return {};
  }
}

QVariant VariantsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) {
    return {};
  }
  const study::Key* key = study::findKey(keyOf(section));
  if (role == Qt::DisplayRole) {
    return key == nullptr ? tr("Variant") : keyName(*key);
  }
  if (role == Qt::ToolTipRole && key != nullptr) {
    return keyToolTip(*key);
  }
  if (role == Qt::TextAlignmentRole) {
    return QVariant::fromValue(Qt::Alignment(Qt::AlignLeft | Qt::AlignVCenter));
  }
  return {};
}

Qt::ItemFlags VariantsModel::flags(const QModelIndex& index) const {
  Qt::ItemFlags flags = QAbstractTableModel::flags(index);
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
  if (index.column() == 0) {
    if (text.isEmpty()) {
      return false;
    }
    Q_EMIT renameRequested(name(index.row()), text);
  } else {
    Q_EMIT overrideRequested(index.row(), QString::fromStdString(keyOf(index.column())), text);
  }
  // The change comes back through setContent() when the text could be changed.
  return false;
}

}  // namespace ulp::views
