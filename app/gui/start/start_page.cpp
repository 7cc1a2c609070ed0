#include "app/gui/start/start_page.h"

#include <algorithm>
#include <memory>

#include <QtCore/QDir>
#include <QtCore/QFileInfo>
#include <QtWidgets/QCommandLinkButton>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPushButton>

#include "app/gui/dumps/dump_side_pane.h"
#include "views/framework/look/icons.h"
#include "views/framework/widgets/layouts.h"
#include "views/framework/words/literal_text.h"
#include "views/framework/workspace/recently_opened.h"

namespace ulp::app {
namespace {

QString shortPath(const QString& path) {
  const QString home = QDir::homePath();
  return path.startsWith(home + QLatin1Char('/')) ? QLatin1Char('~') + path.mid(home.size()) : path;
}

QLabel* heading(const QString& text, double scale, QWidget* parent) {
  auto* label = new QLabel(text, parent);
  QFont font = label->font();
  font.setPointSizeF(font.pointSizeF() * scale);
  label->setFont(font);
  return label;
}

QCommandLinkButton* choice(const QString& icon,
                           const QString& title,
                           const QString& text,
                           QWidget* parent) {
  auto* button = new QCommandLinkButton(title, text, parent);
  button->setIcon(views::themedIcon(icon));
  button->setIconSize({24, 24});
  button->setAccessibleName(title);
  button->setAccessibleDescription(text);
  return button;
}

}  // namespace

StartPage::StartPage(bool hasExample, QWidget* parent)
    : QWidget(parent), m_recent(new QVBoxLayout), m_recentBlock(new QWidget(this)) {
  auto* choices = views::columnOf(nullptr, {}, {.spacing = 4});
  const auto add = [this, choices](const QString& icon,
                                   const QString& title,
                                   const QString& text,
                                   void (StartPage::*requested)()) {
    QCommandLinkButton* button = choice(icon, title, text, this);
    connect(button, &QPushButton::clicked, this, requested);
    choices->addWidget(button);
    return button;
  };
  setFocusProxy(add(QStringLiteral("open"),
                    tr("Open a report…"),
                    tr("A run folder, precision_report.json, or a study. Or drop it here."),
                    &StartPage::openRequested));
  add(QStringLiteral("compare"),
      tr("Compare two dumps…"),
      tr("Of %1, or files of tensors. Or drop both here.").arg(recordingTools()),
      &StartPage::dumpsRequested);
  add(QStringLiteral("record"),
      tr("Record a program…"),
      tr("Run a PyTorch program as it is, and look at what it computes."),
      &StartPage::recordRequested);
  add(QStringLiteral("new"),
      tr("New study"),
      tr("Choose a model and the precisions to compare."),
      &StartPage::newStudyRequested);
  if (hasExample) {
    add(QStringLiteral("example"),
        tr("Example: SmolLM2-135M"),
        tr("A real report, to look around in."),
        &StartPage::exampleRequested);
  }
  m_recent->setSpacing(2);
  views::columnOf(m_recentBlock,
                  {heading(tr("Recent"), 1.0, m_recentBlock), m_recent},
                  {.margins = QMargins(), .spacing = 8});
  m_recentBlock->hide();
  auto* subtitle = new QLabel(tr("Where does a language model lose its bits?"), this);
  subtitle->setForegroundRole(QPalette::PlaceholderText);
  using views::BoxItem;
  auto* column = views::columnOf(nullptr,
                                 {BoxItem::stretch(2),
                                  heading(QStringLiteral("Ulpscope"), 2.0, this),
                                  subtitle,
                                  BoxItem::space(12),
                                  choices,
                                  BoxItem::space(12),
                                  m_recentBlock,
                                  BoxItem::stretch(3)},
                                 {.spacing = 12});
  views::rowOf(this,
               {BoxItem::stretch(), column, BoxItem::stretch()},
               {.margins = QMargins(16, 16, 16, 16)});
}

void StartPage::setRecentFiles(std::vector<views::RecentFile> files) {
  m_files = std::move(files);
  fillRecent();
}

void StartPage::setRecentComparisons(const std::vector<report::DumpOrigin>& comparisons) {
  m_comparisons = comparisons;
  fillRecent();
}

QPushButton* StartPage::addRecent(const QString& text, const QString& toolTip) {
  auto* button = new QPushButton(views::literalText(text), m_recentBlock);
  button->setFlat(true);
  button->setStyleSheet(QStringLiteral("text-align: left; padding: 4px;"));
  button->setToolTip(toolTip);
  m_recent->addWidget(button);
  return button;
}

void StartPage::fillRecent() {
  while (const std::unique_ptr<QLayoutItem> item{m_recent->takeAt(0)}) {
    // One of them may be why the list changes: its click is still being handled.
    item->widget()->hide();
    item->widget()->deleteLater();
  }
  for (const views::RecentFile& file : m_files) {
    const bool exists = QFileInfo::exists(file.path);
    const QString path =
        exists ? shortPath(file.path) : tr("%1 (missing)").arg(shortPath(file.path));
    QPushButton* button = addRecent(
        file.about.isEmpty() ? path : QStringLiteral("%1\n%2").arg(path, file.about), file.path);
    button->setEnabled(exists);
    connect(button, &QPushButton::clicked, this, [this, path = file.path] {
      Q_EMIT recentRequested(path);
    });
  }
  constexpr std::size_t kMostComparisons = 5;
  for (std::size_t i = 0; i < std::min(m_comparisons.size(), kMostComparisons); ++i) {
    const report::DumpOrigin& origin = m_comparisons[i];
    QPushButton* button = addRecent(views::comparisonTitle(origin), views::comparisonPaths(origin));
    connect(button, &QPushButton::clicked, this, [this, origin] {
      Q_EMIT comparisonRequested(origin);
    });
  }
  m_recentBlock->setHidden(m_recent->count() == 0);
}

}  // namespace ulp::app
