#include "views/mapping/open_names_list.h"

#include <algorithm>
#include <utility>

#include <QtCore/QCoreApplication>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QTableView>

#include "views/framework/tables/table_tools.h"
#include "views/framework/threads/background.h"
#include "views/framework/words/metric_text.h"
#include "views/mapping/mapping_widgets.h"

namespace ulp::views {
namespace {

struct OpenNamesListWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::MappingEditor)
};

}  // namespace

OpenNamesList::OpenNamesList(OpenNamesModel::Side side,
                             const QString& dump,
                             Background& background,
                             const ThemeManager& themes)
    : m_background(background),
      m_tag(workTagOf(this, "mapping-filter")),
      m_model(new OpenNamesModel(side, this)),
      m_table(makeMappingTable(m_model, OpenNamesListWords::tr("Only in %1").arg(dump), themes)),
      m_title(new QLabel),
      m_filter(new QLineEdit) {
  m_title->setTextFormat(Qt::PlainText);
  m_title->setBuddy(m_table);
  m_filter->setPlaceholderText(OpenNamesListWords::tr("Filter"));
  m_filter->setAccessibleName(OpenNamesListWords::tr("Filter of what is only in %1").arg(dump));
  m_filter->setToolTip(OpenNamesListWords::tr("Names that hold these letters in this order"));
  m_filter->setClearButtonEnabled(true);
  auto* heading = rowOf(nullptr, {{m_title, 2}, {m_filter, 1}}, kMappingBox);
  columnOf(this, {heading, {m_table, 1}}, {.margins = QMargins(), .spacing = kMappingGap / 2});
  showTitle();
  connect(m_table, &QTableView::activated, this, &OpenNamesList::activated);
  connect(m_filter, &QLineEdit::textChanged, this, &OpenNamesList::filter);
  connect(m_table->selectionModel(),
          &QItemSelectionModel::currentRowChanged,
          this,
          [this](const QModelIndex& current) {
            m_row = current.isValid() ? current.row() : m_row;
            Q_EMIT chosenChanged();
          });
}

void OpenNamesList::showTitle() {
  const OpenSidePtr& side = m_model->side();
  const QString name = m_table->accessibleName();
  m_title->setText(side ? QStringLiteral("%1: %2").arg(name, countText(side->names.size())) : name);
}

void OpenNamesList::setPicture(const MappingPicturePtr& picture) {
  const int row = m_row;
  m_model->setPicture(picture);
  if (picture && !m_filter->text().isEmpty()) {
    filter();
  }
  m_row = row;
  showTitle();
}

void OpenNamesList::complete(const MappingPicturePtr& picture) {
  m_model->complete(picture);
  if (std::exchange(m_isFitted, true)) {
    widenColumns(*m_table, kWidestNameColumn);
  } else {
    fitColumns(*m_table, kWidestNameColumn);
  }
}

void OpenNamesList::choose(const std::optional<std::size_t>& name) {
  const int row = name ? m_model->rowOf(*name) : -1;
  m_table->setCurrentIndex(row < 0 ? QModelIndex() : m_model->index(row, 0));
}

void OpenNamesList::chooseAgain() {
  const int last = m_model->rowCount() - 1;
  if (m_row >= 0 && last >= 0 && !m_table->currentIndex().isValid()) {
    m_table->setCurrentIndex(m_model->index(std::min(m_row, last), 0));
  }
}

std::optional<std::size_t> OpenNamesList::chosen() const {
  const int name = m_model->nameAt(m_table->currentIndex().row());
  return name < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(name));
}

std::optional<std::size_t> OpenNamesList::suggestedPartner() const {
  const auto suggestion = m_model->suggestionAt(m_table->currentIndex().row());
  return suggestion ? std::optional(suggestion->partner) : std::nullopt;
}

bool OpenNamesList::isFiltering() const {
  return m_background.isBusy(m_tag);
}

void OpenNamesList::filter() {
  const OpenSidePtr side = m_model->side();
  const QString text = m_filter->text();
  if (!side) {
    return;
  }
  if (text.isEmpty()) {
    m_background.cancel(m_tag);
    m_model->showAll();
    return;
  }
  m_background.run<std::vector<int>>(
      m_tag,
      this,
      [side, text](const std::stop_token& stop) {
        return side->index.search(text, 1, nullptr, stop).matched;
      },
      [this, side](std::vector<int> matched) {
        // Another picture has another filter on its way.
        if (m_model->side() == side) {
          m_model->setShown(std::move(matched));
          Q_EMIT filtered();
        }
      });
}

}  // namespace ulp::views
