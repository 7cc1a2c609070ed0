#include <algorithm>
#include <utility>

#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QMessageBox>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QTableView>

#include "core/analysis/mapping/mapping_file.h"
#include "core/base/files/atomic_file.h"
#include "views/comparing/mapping_dialogs.h"
#include "views/framework/threads/background.h"
#include "views/framework/widgets/message_bar.h"
#include "views/mapping/mapping_editor.h"

/// What the user does to the mapping.
namespace ulp::views {
namespace {

QString topicOf(const char* what) {
  return QStringLiteral("mapping-%1").arg(QLatin1String(what));
}

}  // namespace

void MappingEditor::showError(const Error& error, const char* topic) {
  m_messages->show(messageOf(error, topicOf(topic)));
}

std::optional<std::pair<std::size_t, std::size_t>> MappingEditor::chosen() const {
  const int baseline = m_baseline.model->nameAt(m_baseline.table->currentIndex().row());
  const int candidate = m_candidate.model->nameAt(m_candidate.table->currentIndex().row());
  if (baseline < 0 || candidate < 0) {
    return std::nullopt;
  }
  return std::pair(static_cast<std::size_t>(baseline), static_cast<std::size_t>(candidate));
}

std::optional<analysis::NamePair> MappingEditor::pairOfChosen() const {
  const auto names = chosen();
  if (!names) {
    return std::nullopt;
  }
  const OpenSide& baseline = *m_picture->baseline;
  const OpenSide& candidate = *m_picture->candidate;
  return analysis::pairOf(*baseline.unit,
                          baseline.names[names->first],
                          *candidate.unit,
                          candidate.names[names->second]);
}

std::optional<analysis::RenameRule> MappingEditor::ruleOfChosen() const {
  const auto names = chosen();
  if (!names) {
    return std::nullopt;
  }
  // Calls of an API are numbered through the whole step: what is true of one number is not of all.
  const auto& own = m_picture->baseline->names[names->first];
  const auto& other = m_picture->candidate->names[names->second];
  if (own.kind == dumps::EntryKind::Api || other.kind == dumps::EntryKind::Api) {
    return std::nullopt;
  }
  auto pair = pairOfChosen();
  if (!pair) {
    return std::nullopt;
  }
  // A new rule sees what the rules before it have left.
  return analysis::generalised(
      {.candidate = mapping().map(pair->candidate), .baseline = std::move(pair->baseline)});
}

std::optional<std::size_t> MappingEditor::chosenRule() const {
  const QModelIndexList rows = m_ruleTable->selectionModel()->selectedRows();
  return rows.size() == 1 ? m_rules->row(rows.front().row()).rule : std::nullopt;
}

void MappingEditor::updateButtons() {
  const bool isReady = m_picture != nullptr && m_picture->suggestions != nullptr;
  m_match->setEnabled(chosen().has_value());
  m_alike->setEnabled(ruleOfChosen().has_value());
  const auto mutual = !isReady ? 0
                               : std::count_if(m_picture->suggestions->ofBaseline.begin(),
                                               m_picture->suggestions->ofBaseline.end(),
                                               [](const auto& found) { return found.isMutual; });
  m_mutual->setText(tr("Match %n sure suggestion(s)", nullptr, static_cast<int>(mutual)));
  m_mutual->setEnabled(mutual > 0);
  m_add->setEnabled(!m_from->text().isEmpty());
  m_change->setEnabled(!m_from->text().isEmpty() && chosenRule().has_value());
  m_remove->setEnabled(m_ruleTable->selectionModel()->hasSelection());
  m_undo->setEnabled(m_history->steps().canUndo());
  m_redo->setEnabled(m_history->steps().canRedo());
  m_save->setEnabled(!mapping().isEmpty());
  m_apply->setEnabled(!m_isApplied);
}

void MappingEditor::matchChosen() {
  if (!chosen()) {
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

void MappingEditor::editChosenRule() {
  if (const auto rule = chosenRule()) {
    m_from->setText(QString::fromStdString(mapping().rules()[*rule].match));
    m_to->setText(QString::fromStdString(mapping().rules()[*rule].replace));
  }
  showEffect();
}

void MappingEditor::addRule() {
  const Result<> added =
      m_history->addRule({m_from->text().toStdString(), m_to->text().toStdString()});
  if (!added) {
    showError(added.error(), "rule");
    return;
  }
  m_messages->dismiss(topicOf("rule"));
  m_from->clear();
  m_to->clear();
}

void MappingEditor::changeRule() {
  const auto rule = chosenRule();
  if (!rule) {
    return;
  }
  const Result<> changed =
      m_history->changeRule(*rule, {m_from->text().toStdString(), m_to->text().toStdString()});
  if (!changed) {
    showError(changed.error(), "rule");
    return;
  }
  m_messages->dismiss(topicOf("rule"));
}

void MappingEditor::removeChosen() {
  std::vector<std::size_t> rules;
  std::vector<std::string> pairs;
  for (const QModelIndex& index : m_ruleTable->selectionModel()->selectedRows()) {
    const NameRule& row = m_rules->row(index.row());
    if (row.rule) {
      rules.push_back(*row.rule);
    } else {
      pairs.push_back(row.name);
    }
  }
  std::sort(rules.begin(), rules.end());
  m_ruleTable->clearSelection();
  m_history->remove(rules, pairs);
}

void MappingEditor::askToLoad() {
  askForMapping(this, [this](const QString& path) { load(path); });
}

void MappingEditor::load(const QString& path) {
  using Read = Result<analysis::MappingFile>;
  m_background.run<Read>(
      workTag("load"),
      this,
      [file = path.toStdString()](const std::stop_token&) {
        return analysis::readMappingFile(file);
      },
      [this](const Read& read) {
        if (!read) {
          showError(read.error(), "file");
          return;
        }
        m_messages->dismiss(topicOf("file"));
        m_history->replace(read->mapping);
      });
}

void MappingEditor::askToSave() {
  askWhereToSaveMapping(this, [this](const QString& path) { save(path); });
}

void MappingEditor::save(const QString& path) {
  m_background.save<Result<>>(
      // What is saved is never replaced by other work, but for newer content of the same file.
      workTag("save") + QLatin1Char('/') + path,
      this,
      [file = path.toStdString(), yaml = mapping().toYaml()] {
        return writeFileAtomically(file, yaml);
      },
      [this, changes = m_changes](const Result<>& saved) {
        if (!saved) {
          showError(saved.error(), "file");
          return;
        }
        m_messages->dismiss(topicOf("file"));
        // What has been changed since is not in the file.
        m_isSaved = m_isSaved || changes == m_changes;
      });
}

void MappingEditor::apply() {
  m_isApplied = true;
  updateButtons();
  Q_EMIT applied();
}

void MappingEditor::reject() {
  if (!hasUnsavedEdits()) {
    QDialog::reject();
    return;
  }
  auto* question = new QMessageBox(QMessageBox::NoIcon,
                                   tr("Close the mapping"),
                                   tr("The mapping was changed and neither applied nor saved."),
                                   QMessageBox::NoButton,
                                   this);
  question->setAttribute(Qt::WA_DeleteOnClose);
  QPushButton* discard = question->addButton(tr("Discard"), QMessageBox::DestructiveRole);
  question->setDefaultButton(question->addButton(tr("Keep editing"), QMessageBox::RejectRole));
  connect(discard, &QPushButton::clicked, this, [this] { QDialog::reject(); });
  question->open();
}

}  // namespace ulp::views
