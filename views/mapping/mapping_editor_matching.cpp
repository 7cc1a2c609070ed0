#include <algorithm>
#include <numeric>
#include <utility>

#include <QtCore/QSignalBlocker>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QTableView>

#include "views/framework/tables/table_tools.h"
#include "views/framework/threads/background.h"
#include "views/framework/widgets/message_bar.h"
#include "views/framework/words/metric_text.h"
#include "views/mapping/mapping_editor.h"

/// What is matched and what is not: everything that is computed in the background.
namespace ulp::views {
namespace {

/// In em; names of modules are long.
constexpr int kWidestColumn = 24;

QString openTopic() {
  return QStringLiteral("mapping-open");
}

std::vector<int> allOf(std::size_t count) {
  std::vector<int> all(count);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

}  // namespace

void MappingEditor::openDumps() {
  showHeadline();
  updateButtons();
  m_background.run<Result<MappingUnits>>(
      workTag("open"),
      this,
      [open = m_source.open](const std::stop_token& stop) { return open(stop); },
      [this](Result<MappingUnits> opened) {
        if (!opened) {
          showNotOpened(opened.error());
          return;
        }
        m_dumps = *std::move(opened);
        const QSignalBlocker silent(m_pairs);
        m_pairs->addItems(m_dumps.titles);
        m_pairs->setVisible(m_dumps.titles.size() > 1);
        openPair();
      });
}

void MappingEditor::openPair() {
  m_units.reset();
  m_picture.reset();
  m_row = -1;
  m_background.cancel(workTag("match"));
  for (const List* list : {&m_baseline, &m_candidate}) {
    list->model->setPicture(nullptr);
  }
  showHeadline();
  updateButtons();
  const auto pair = static_cast<std::size_t>(std::max(0, m_pairs->currentIndex()));
  m_background.run<Result<OpenUnits>>(
      workTag("open"),
      this,
      [dumps = m_dumps, pair](const std::stop_token& stop) { return openUnits(dumps, pair, stop); },
      [this](Result<OpenUnits> opened) {
        if (!opened) {
          showNotOpened(opened.error());
          return;
        }
        m_messages->dismiss(openTopic());
        m_units = std::make_shared<const OpenUnits>(*std::move(opened));
        match();
        showEffect();
      });
}

void MappingEditor::showNotOpened(const Error& error) {
  m_messages->show(messageOf(error, openTopic()));
  m_headline->setText(tr("The dumps cannot be opened."));
}

void MappingEditor::match() {
  updateButtons();
  if (!m_units) {
    return;
  }
  using Drawn = Result<MappingPicturePtr>;
  m_background.run<Drawn, MappingPicturePtr>(
      workTag("match"),
      this,
      [units = m_units, mapping = mapping()](
          const std::stop_token& stop, const std::function<void(MappingPicturePtr)>& publish) {
        return drawMapping(*units, mapping, publish, stop);
      },
      [this](const MappingPicturePtr& picture) { take(picture); },
      [this](const Drawn& drawn) {
        if (drawn) {
          complete(*drawn);
        } else {
          showError(drawn.error(), "match");
        }
      });
}

void MappingEditor::take(const MappingPicturePtr& picture) {
  const int row = m_row;
  m_picture = picture;
  for (const List* list : {&m_baseline, &m_candidate}) {
    list->model->setPicture(picture);
    if (!list->filter->text().isEmpty()) {
      filter(*list);
    }
  }
  m_row = row;
  chooseAgain();
  showRules();
  showHeadline();
  updateButtons();
}

void MappingEditor::complete(const MappingPicturePtr& picture) {
  m_picture = picture;
  for (const List* list : {&m_baseline, &m_candidate}) {
    list->model->complete(picture);
    if (!m_isFitted) {
      fitColumns(*list->table, kWidestColumn);
    } else {
      widenColumns(*list->table, kWidestColumn);
    }
  }
  m_isFitted = true;
  // The user may have chosen by hand while partners were looked for.
  if (!m_candidate.table->currentIndex().isValid()) {
    chooseSuggestion();
  }
  updateButtons();
}

/// What follows the name that has just been matched, so that Return goes on.
void MappingEditor::chooseAgain() const {
  const int last = m_baseline.model->rowCount() - 1;
  if (m_row >= 0 && last >= 0 && !m_baseline.table->currentIndex().isValid()) {
    m_baseline.table->setCurrentIndex(m_baseline.model->index(std::min(m_row, last), 0));
  }
}

void MappingEditor::chooseSuggestion() {
  const QModelIndex current = m_baseline.table->currentIndex();
  if (!current.isValid()) {
    return;
  }
  m_row = current.row();
  const auto suggestion = m_baseline.model->suggestionAt(current.row());
  const int row = suggestion ? m_candidate.model->rowOf(suggestion->partner) : -1;
  if (row >= 0) {
    m_candidate.table->setCurrentIndex(m_candidate.model->index(row, 0));
  } else {
    m_candidate.table->setCurrentIndex({});
  }
}

void MappingEditor::filter(const List& list) {
  if (!m_picture) {
    return;
  }
  const OpenSidePtr side = list.model->side();
  const QString text = list.filter->text();
  const QString tag = workTag(&list == &m_baseline ? "baseline" : "candidate");
  if (text.isEmpty()) {
    m_background.cancel(tag);
    list.model->setShown(allOf(side->names.size()));
    return;
  }
  m_background.run<std::vector<int>>(
      tag,
      this,
      [side, text](const std::stop_token& stop) {
        return side->index.search(text, 1, nullptr, stop).matched;
      },
      [this, side, model = list.model](std::vector<int> matched) {
        // Another picture has another filter on its way.
        if (model->side() == side) {
          model->setShown(std::move(matched));
          chooseAgain();
        }
      });
}

void MappingEditor::showHeadline() {
  if (!m_picture) {
    m_headline->setText(tr("Reading the dumps…"));
    for (const List* list : {&m_baseline, &m_candidate}) {
      list->title->setText(list->table->accessibleName());
    }
    return;
  }
  const auto title = [](const List& list) {
    list.title->setText(QStringLiteral("%1: %2").arg(list.table->accessibleName(),
                                                     countText(list.model->side()->names.size())));
  };
  title(m_baseline);
  title(m_candidate);
  const bool isAll = m_picture->baseline->names.empty() && m_picture->candidate->names.empty();
  QString text = isAll ? tr("All calls are matched: %1.").arg(countText(m_picture->matchedCalls))
                       : tr("Matched calls: %1. The names below have no partner.")
                             .arg(countText(m_picture->matchedCalls));
  if (m_picture->loneTensors > 0) {
    text += QLatin1Char(' ') + tr("Tensors of matched calls without a partner: %1.")
                                   .arg(countText(m_picture->loneTensors));
  }
  m_headline->setText(text);
}

void MappingEditor::showRules() {
  // Effects are those of the picture; while another one is being drawn they may be of other rules.
  const bool isCounted =
      m_picture != nullptr && m_picture->effects.size() == mapping().rules().size();
  const auto rows =
      nameRules(mapping(), isCounted ? m_picture->effects : std::vector<analysis::RuleEffect>());
  m_rules->setRows(rows);
  widenColumns(*m_ruleTable, 2 * kWidestColumn);
}

void MappingEditor::showEffect() {
  updateButtons();
  m_background.cancel(workTag("effect"));
  if (m_from->text().isEmpty() || !m_units) {
    m_effect->clear();
    return;
  }
  std::vector<analysis::RenameRule> rules = mapping().rules();
  const std::size_t place = chosenRule().value_or(rules.size());
  const analysis::RenameRule typed{m_from->text().toStdString(), m_to->text().toStdString()};
  if (place < rules.size()) {
    rules[place] = typed;
  } else {
    rules.push_back(typed);
  }
  auto tried = analysis::SiteMapping::make(std::move(rules), mapping().pairs());
  if (!tried) {
    m_effect->setText(QString::fromStdString(tried.error().message()));
    return;
  }
  using Effect = Result<analysis::RuleEffect>;
  m_background.run<Effect>(
      workTag("effect"),
      this,
      [tried = *std::move(tried), place, units = m_units](const std::stop_token& stop) {
        return analysis::effectOf(
            tried, place, *units->candidateNames, *units->baselineNames, stop);
      },
      [this](const Effect& effect) {
        m_effect->setText(effect ? effectText(*effect)
                                 : QString::fromStdString(effect.error().message()));
      });
}

void MappingEditor::matchMutual() {
  if (!m_picture || !m_picture->suggestions) {
    return;
  }
  m_background.run<std::vector<analysis::NamePair>>(
      workTag("mutual"),
      this,
      [picture = m_picture](const std::stop_token& /*stop*/) { return mutualPairs(*picture); },
      [this](const std::vector<analysis::NamePair>& pairs) { m_history->addPairs(pairs); });
}

}  // namespace ulp::views
