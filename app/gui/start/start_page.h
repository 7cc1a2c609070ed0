#pragma once

#include <vector>

#include <QtCore/QStringList>
#include <QtWidgets/QWidget>

#include "core/report/model/dump_origin.h"
#include "views/framework/workspace/recently_opened.h"

class QPushButton;
class QVBoxLayout;

namespace ulp::app {

/// What the window shows before anything is open: open, new study, recent, example.
class StartPage : public QWidget {
  Q_OBJECT

 public:
  explicit StartPage(bool hasExample, QWidget* parent = nullptr);

  /// Files that are gone are shown as such and cannot be opened.
  void setRecentFiles(std::vector<views::RecentFile> files);
  /// Below the files; whether their dumps are still there is seen when they are compared.
  void setRecentComparisons(const std::vector<report::DumpOrigin>& comparisons);

 Q_SIGNALS:
  void openRequested();
  void newStudyRequested();
  void dumpsRequested();
  void recordRequested();
  void exampleRequested();
  void recentRequested(const QString& path);
  void comparisonRequested(const ulp::report::DumpOrigin& origin);

 private:
  void fillRecent();
  QPushButton* addRecent(const QString& text, const QString& toolTip);

  std::vector<views::RecentFile> m_files;
  std::vector<report::DumpOrigin> m_comparisons;
  QVBoxLayout* m_recent;
  QWidget* m_recentBlock;
};

}  // namespace ulp::app
