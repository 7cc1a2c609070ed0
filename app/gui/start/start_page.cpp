#include "app/gui/start/start_page.h"

#include <algorithm>
#include <memory>

#include <QtCore/QDir>
#include <QtCore/QFileInfo>
#include <QtWidgets/QCommandLinkButton>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QVBoxLayout>

#include "app/gui/dumps/recording_tools.h"
#include "views/framework/look/icons.h"
#include "views/framework/workspace/recent_comparisons.h"

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
  auto* choices = new QVBoxLayout;
  choices->setSpacing(4);
  auto* open = choice(QStringLiteral("open"),
                      tr("Open a report…"),
                      tr("A run folder, precision_report.json, or a study. Or drop it here."),
                      this);
  auto* made = choice(QStringLiteral("new"),
                      tr("New study"),
                      tr("Choose a model and the precisions to compare."),
                      this);
  connect(open, &QPushButton::clicked, this, &StartPage::openRequested);
  connect(made, &QPushButton::clicked, this, &StartPage::newStudyRequested);
  auto* dumps = choice(QStringLiteral("compare"),
                       tr("Compare two dumps…"),
                       tr("Of %1, or files of tensors. Or drop both here.").arg(recordingTools()),
                       this);
  connect(dumps, &QPushButton::clicked, this, &StartPage::dumpsRequested);
  choices->addWidget(open);
  choices->addWidget(dumps);
  choices->addWidget(made);
  if (hasExample) {
    auto* example = choice(QStringLiteral("example"),
                           tr("Example: SmolLM2-135M"),
                           tr("A real report, to look around in."),
                           this);
    connect(example, &QPushButton::clicked, this, &StartPage::exampleRequested);
    choices->addWidget(example);
  }
  auto* recentLayout = new QVBoxLayout(m_recentBlock);
  recentLayout->setContentsMargins(0, 0, 0, 0);
  recentLayout->setSpacing(8);
  recentLayout->addWidget(heading(tr("Recent"), 1.0, m_recentBlock));
  m_recent->setSpacing(2);
  recentLayout->addLayout(m_recent);
  m_recentBlock->hide();

  auto* column = new QVBoxLayout;
  column->setSpacing(12);
  column->addStretch(2);
  column->addWidget(heading(QStringLiteral("Ulpscope"), 2.0, this));
  auto* subtitle = new QLabel(tr("Where does a language model lose its bits?"), this);
  subtitle->setForegroundRole(QPalette::PlaceholderText);
  column->addWidget(subtitle);
  column->addSpacing(12);
  column->addLayout(choices);
  column->addSpacing(12);
  column->addWidget(m_recentBlock);
  column->addStretch(3);
  auto* page = new QHBoxLayout(this);
  page->setContentsMargins(16, 16, 16, 16);
  page->addStretch(1);
  page->addLayout(column);
  page->addStretch(1);
  setFocusProxy(open);
}

void StartPage::setRecentFiles(const QStringList& files) {
  m_files = files;
  fillRecent();
}

void StartPage::setRecentComparisons(const std::vector<report::DumpOrigin>& comparisons) {
  m_comparisons = comparisons;
  fillRecent();
}

QPushButton* StartPage::addRecent(const QString& text, const QString& toolTip) {
  auto* button = new QPushButton(text, m_recentBlock);
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
  for (const QString& file : m_files) {
    const bool exists = QFileInfo::exists(file);
    QPushButton* button =
        addRecent(exists ? shortPath(file) : tr("%1 (missing)").arg(shortPath(file)), file);
    button->setEnabled(exists);
    connect(button, &QPushButton::clicked, this, [this, file] { Q_EMIT recentRequested(file); });
  }
  constexpr std::size_t kMostComparisons = 5;
  for (std::size_t i = 0; i < std::min(m_comparisons.size(), kMostComparisons); ++i) {
    const report::DumpOrigin& origin = m_comparisons[i];
    QPushButton* button =
        addRecent(views::comparisonTitle(origin),
                  QStringLiteral("%1\n%2").arg(views::sideText(origin.baseline),
                                               views::sideText(origin.candidate)));
    connect(button, &QPushButton::clicked, this, [this, origin] {
      Q_EMIT comparisonRequested(origin);
    });
  }
  m_recentBlock->setHidden(m_recent->count() == 0);
}

}  // namespace ulp::app
