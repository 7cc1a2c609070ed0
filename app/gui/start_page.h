#pragma once

#include <QtCore/QStringList>
#include <QtWidgets/QWidget>

class QVBoxLayout;

namespace ulp::app {

/// What the window shows before anything is open: open, new study, recent, example.
class StartPage : public QWidget {
  Q_OBJECT

 public:
  explicit StartPage(bool hasExample, QWidget* parent = nullptr);

  /// Files that are gone are shown as such and cannot be opened.
  void setRecentFiles(const QStringList& files);

 Q_SIGNALS:
  void openRequested();
  void newStudyRequested();
  void dumpsRequested();
  void exampleRequested();
  void recentRequested(const QString& path);

 private:
  QVBoxLayout* m_recent;
  QWidget* m_recentBlock;
};

}  // namespace ulp::app
