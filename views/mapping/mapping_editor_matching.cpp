#include <algorithm>
#include <utility>

#include <QtCore/QSignalBlocker>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPushButton>

#include "views/framework/threads/background.h"
#include "views/framework/widgets/message_bar.h"
#include "views/framework/words/metric_text.h"
#include "views/mapping/mapping_editor.h"
#include "views/mapping/open_names_list.h"
#include "views/mapping/rules_panel.h"

/// What is matched and what is not: everything that is computed in the background.
namespace ulp::views {

void MappingEditor::openDumps() {
  showHeadline();
  updateButtons();
  m_background.run<Result<MappingUnits>>(
      workTagOf(this, "mapping-open"),
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
  m_rules->setUnits(nullptr);
  m_background.cancel(workTagOf(this, "mapping-match"));
  for (OpenNamesList* list : {m_baseline, m_candidate}) {
    list->setPicture(nullptr);
  }
  m_baseline->forgetPlace();
  showHeadline();
  updateButtons();
  const auto pair = static_cast<std::size_t>(std::max(0, m_pairs->currentIndex()));
  m_background.run<Result<OpenUnits>>(
      workTagOf(this, "mapping-open"),
      this,
      [dumps = m_dumps, pair](const std::stop_token& stop) { return openUnits(dumps, pair, stop); },
      [this](Result<OpenUnits> opened) {
        if (!opened) {
          showNotOpened(opened.error());
          return;
        }
        m_messages->dismiss(topicOf("open"));
        m_units = std::make_shared<const OpenUnits>(*std::move(opened));
        m_rules->setUnits(m_units);
        match();
        m_rules->showEffect();
      });
}

void MappingEditor::showNotOpened(const Error& error) {
  showError(error, "open");
  m_headline->setText(tr("The dumps cannot be opened."));
}

void MappingEditor::match() {
  updateButtons();
  if (!m_units) {
    return;
  }
  using Drawn = Result<MappingPicturePtr>;
  m_background.run<Drawn, MappingPicturePtr>(
      workTagOf(this, "mapping-match"),
      this,
      [units = m_units, mapping = mapping()](
          const std::stop_token& stop, const std::function<void(MappingPicturePtr)>& publish) {
        return drawMapping(*units, mapping, publish, stop);
      },
      [this](const MappingPicturePtr& picture) { showPicture(picture); },
      [this](const Drawn& drawn) {
        if (drawn) {
          complete(*drawn);
        } else {
          showError(drawn.error(), "match");
        }
      });
}

void MappingEditor::showPicture(const MappingPicturePtr& picture) {
  m_picture = picture;
  for (OpenNamesList* list : {m_baseline, m_candidate}) {
    list->setPicture(picture);
  }
  m_baseline->chooseAgain();
  m_rules->showRules(picture);
  showHeadline();
  updateButtons();
}

void MappingEditor::complete(const MappingPicturePtr& picture) {
  m_picture = picture;
  for (OpenNamesList* list : {m_baseline, m_candidate}) {
    list->complete(picture);
  }
  // The user may have chosen by hand while partners were looked for.
  if (!m_candidate->chosen()) {
    chooseSuggestion();
  }
  updateButtons();
}

void MappingEditor::chooseSuggestion() {
  if (m_baseline->chosen()) {
    m_candidate->choose(m_baseline->suggestedPartner());
  }
}

void MappingEditor::showHeadline() {
  if (!m_picture) {
    m_headline->setText(tr("Reading the dumps…"));
    return;
  }
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

std::optional<analysis::NamePair> MappingEditor::pairOfChosen() const {
  const auto own = m_baseline->chosen();
  const auto other = m_candidate->chosen();
  if (!own || !other) {
    return std::nullopt;
  }
  const OpenSide& baseline = *m_picture->baseline;
  const OpenSide& candidate = *m_picture->candidate;
  return analysis::pairOf(
      *baseline.unit, baseline.names[*own], *candidate.unit, candidate.names[*other]);
}

std::optional<analysis::RenameRule> MappingEditor::ruleOfChosen() const {
  auto pair = pairOfChosen();
  if (!pair) {
    return std::nullopt;
  }
  // Calls of an API are numbered through the whole step: what is true of one number is not of all.
  const auto& own = m_picture->baseline->names[*m_baseline->chosen()];
  const auto& other = m_picture->candidate->names[*m_candidate->chosen()];
  if (own.kind == dumps::EntryKind::Api || other.kind == dumps::EntryKind::Api) {
    return std::nullopt;
  }
  // A new rule sees what the rules before it have left. One that fails is what matching shows.
  auto candidate = mapping().map(pair->candidate);
  if (!candidate) {
    return std::nullopt;
  }
  return analysis::generalised(
      {.candidate = *std::move(candidate), .baseline = std::move(pair->baseline)});
}

void MappingEditor::updateButtons() {
  const bool isReady = m_picture != nullptr && m_picture->suggestions != nullptr;
  m_match->setEnabled(m_baseline->chosen() && m_candidate->chosen());
  m_alike->setEnabled(ruleOfChosen().has_value());
  const auto mutual = isReady ? std::ranges::count_if(m_picture->suggestions->ofBaseline,
                                                      &analysis::PartnerSuggestion::isMutual)
                              : 0;
  m_mutual->setText(tr("Match %n sure suggestion(s)", nullptr, static_cast<int>(mutual)));
  m_mutual->setEnabled(mutual > 0);
  m_rules->updateButtons();
  m_undo->setEnabled(m_history->steps().canUndo());
  m_redo->setEnabled(m_history->steps().canRedo());
  m_save->setEnabled(!mapping().isEmpty());
  m_apply->setEnabled(!m_isApplied);
}

void MappingEditor::matchChosen() {
  if (!m_baseline->chosen() || !m_candidate->chosen()) {
    return;
  }
  const auto pair = pairOfChosen();
  if (!pair) {
    m_messages->show({.severity = Severity::Look,
                      .text = tr("These two have no tensor of the same role and pass, by which "
                                 "they could be matched."),
                      .topic = topicOf("pair")});
    return;
  }
  m_messages->dismiss(topicOf("pair"));
  m_history->addPairs({*pair});
}

void MappingEditor::matchAlike() {
  const auto rule = ruleOfChosen();
  if (!rule) {
    return;
  }
  if (const Result<> added = m_history->addRule(*rule); !added) {
    showError(added.error(), "rule");
  }
}

void MappingEditor::matchMutual() {
  if (!m_picture || !m_picture->suggestions) {
    return;
  }
  m_background.run<std::vector<analysis::NamePair>>(
      workTagOf(this, "mapping-mutual"),
      this,
      [picture = m_picture](const std::stop_token& /*stop*/) { return mutualPairs(*picture); },
      [this](const std::vector<analysis::NamePair>& pairs) { m_history->addPairs(pairs); });
}

}  // namespace ulp::views
