#include "app/gui/help/help_desk.h"

#include <algorithm>
#include <utility>

#include <QtCore/QFile>
#include <QtGui/QCursor>
#include <QtWidgets/QApplication>
#include <QtWidgets/QMainWindow>

#include "app/gui/help/help_topic.h"
#include "app/gui/help/help_window.h"
#include "app/gui/session/session.h"
#include "views/framework/workspace/bundled_example.h"

namespace ulp::app {

HelpDesk::HelpDesk(QMainWindow& window, Session& session)
    : QObject(&window), m_window(window), m_session(session) {}

void HelpDesk::whenRead(std::function<void(HelpWindow&)> use) {
  using Library = std::shared_ptr<const HelpLibrary>;
  if (m_help != nullptr) {
    use(*m_help);
    return;
  }
  m_session.background().run<Library>(
      QStringLiteral("help"),
      this,
      [](const std::stop_token& /*stop*/) { return std::make_shared<const HelpLibrary>(); },
      [this, use = std::move(use)](Library library) {
        m_library = std::move(library);
        m_help = new HelpWindow(*m_library, &m_window);
        use(*m_help);
      });
}

void HelpDesk::openWhole(const HelpPlace& place) {
  whenRead([place](HelpWindow& window) {
    window.setBeside(false);
    window.open(place);
  });
}

void HelpDesk::openTopic() {
  const views::DocumentPtr& document = m_session.workspace().reports.document();
  const HelpTopic topic =
      helpTopic(QCursor::pos(),
                QApplication::focusWidget(),
                document ? document->metrics() : std::vector<views::MetricInfo>());
  whenRead([this, topic](HelpWindow& window) {
    const HelpPlace metric{kMetricsGuide, topic.metric};
    const bool isDefined = !topic.metric.isEmpty() && m_library->find(metric).has_value();
    window.open(isDefined ? metric : m_library->placeOfView(topic.viewKey));
  });
}

void HelpDesk::openTour() {
  views::ReportSet& reports = m_session.workspace().reports;
  const bool isOpen = std::ranges::any_of(
      reports.sources(), [](const auto& source) { return views::isExample(source.loaded.file); });
  if (!isOpen && QFile::exists(views::kExampleReport)) {
    reports.open({views::kExampleReport});
  }
  whenRead([](HelpWindow& window) {
    window.setBeside(true);
    window.open({kTour});
  });
}

}  // namespace ulp::app
