#include "app/gui/session/translations.h"

#include <gtest/gtest.h>

#include <QtCore/QHash>
#include <QtCore/QLocale>
#include <QtCore/QRegularExpression>
#include <QtGui/QAction>
#include <QtWidgets/QAbstractButton>
#include <QtWidgets/QAbstractItemView>
#include <QtWidgets/QApplication>
#include <QtWidgets/QLabel>
#include <QtWidgets/QMenu>
#include <QtWidgets/QMenuBar>
#include <QtWidgets/QToolBar>

#include "app/gui/session/window_settings.h"
#include "tests/app/gui/window_fixture.h"
#include "tests/support/window/stall_listener.h"
#include "views/framework/words/metric_text.h"
#include "views/plugins/study/form/key_names.h"

namespace ulp::app {
namespace {

class TranslationsTest : public test::WindowFixture {
 protected:
  void useLanguage(const QString& language) {
    m_session->settings().set(kLanguage, language);
    ASSERT_TRUE(m_window->close());
    makeWindow();
  }
  void usePseudo() {
    m_window.reset();
    m_session.reset();
    m_session = std::make_unique<Session>(
        SessionOptions{.settingsFile = m_folder.filePath(QStringLiteral("settings.ini")),
                       .workerProgram = {},
                       .pseudoTranslate = true});
    m_window = std::make_unique<MainWindow>(*m_session);
    m_window->show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(m_window.get()));
  }
  void showEveryView() {
    open({study()});
    open({reportFolder(QStringLiteral("smollm2"))});
    WindowFixture::showEveryView();
  }
  /// What the cells of all tables show.
  [[nodiscard]] QStringList cells() const {
    QStringList texts;
    for (const QAbstractItemView* view : m_window->findChildren<QAbstractItemView*>()) {
      const QAbstractItemModel* model = view->model();
      for (int row = 0; model != nullptr && row < model->rowCount(); ++row) {
        for (int column = 0; column < model->columnCount(); ++column) {
          texts << model->index(row, column).data().toString();
        }
      }
    }
    return texts;
  }
};

/// Complains of texts that Alt and one letter would both choose.
void expectUniqueMnemonics(const QStringList& texts) {
  static const QRegularExpression kMnemonic(QStringLiteral("&(\\w)"),
                                            QRegularExpression::UseUnicodePropertiesOption);
  QHash<QString, QString> owners;
  for (const QString& text : texts) {
    const QString letter = kMnemonic.match(text).captured(1).toLower();
    if (!letter.isEmpty() && owners.contains(letter)) {
      ADD_FAILURE() << text.toStdString() << " and " << owners[letter].toStdString();
    }
    owners.insert(letter, text);
  }
}

QStringList textsOf(const QList<QAction*>& actions) {
  QStringList texts;
  for (const QAction* action : actions) {
    texts << action->text();
  }
  return texts;
}

TEST(TranslationFor, TakesTheFirstLanguageThatThereIs) {
  const auto find = [](const char* first, const char* second) {
    return translationFor({QLatin1String(first), QLatin1String(second)});
  };
  EXPECT_EQ(find("zh-Hans-CN", "zh-CN"), QStringLiteral("zh_CN"));
  EXPECT_EQ(find("zh-CN", "zh"), QStringLiteral("zh_CN"));
  EXPECT_EQ(find("fr-FR", "zh-CN"), QStringLiteral("zh_CN"));
  const QString german = QStringLiteral("de");
  EXPECT_EQ(find("de-DE", "zh-CN"), german);
  EXPECT_EQ(find("de-Latn-AT", "de-AT"), german);
  EXPECT_EQ(find("de-AT", "en-GB"), german);
  EXPECT_EQ(find("de", "en"), german);
  const QString english = QStringLiteral("en");
  EXPECT_EQ(find("en-GB", "zh-CN"), english) << "English comes first";
  EXPECT_EQ(find("en-GB", "de-DE"), english);
  EXPECT_EQ(find("C", "zh-CN"), english);
  EXPECT_EQ(find("zh-Hant-TW", "fr"), english);
  EXPECT_EQ(translationFor({}), english);
}

TEST(PseudoTranslator, MakesTextsLongerAndKeepsTheirPlaceholders) {
  const QString source = QStringLiteral("Open %1 of the %n reports");
  const QString made = PseudoTranslator::lengthened(source);
  EXPECT_TRUE(made.contains(source));
  EXPECT_GE(made.size(), source.size() * 14 / 10);
  EXPECT_TRUE(made.startsWith(u'[') && made.endsWith(u']'));
  EXPECT_EQ(PseudoTranslator::lengthened(QString()), QString());
}

TEST_F(TranslationsTest, TheWindowIsChineseWhereTheUserWantsIt) {
  test::allowStalls(200, "Qt loads the font of another script when it paints its first text");
  useLanguage(QStringLiteral("zh_CN"));
  EXPECT_EQ(m_window->menuBar()->actions().front()->text(), QStringLiteral("文件(&F)"));
  showEveryView();
  EXPECT_EQ(host("depth")->descriptor().title, QStringLiteral("深度"));
  useLanguage(QStringLiteral("en"));
  EXPECT_EQ(m_window->menuBar()->actions().front()->text(), QStringLiteral("&File"));
}

TEST_F(TranslationsTest, TheWindowIsGermanWhereTheUserWantsIt) {
  useLanguage(QStringLiteral("de"));
  EXPECT_EQ(m_window->menuBar()->actions().front()->text(), QStringLiteral("&Datei"));
  showEveryView();
  EXPECT_EQ(host("depth")->descriptor().title, QStringLiteral("Tiefe"));
  const auto counted = [](int n) {
    return QCoreApplication::translate(
        "ulp::app::CloseQuestion", "%n study(s) in the queue will not be run.", nullptr, n);
  };
  EXPECT_EQ(counted(1), QStringLiteral("1 Studie in der Warteschlange wird nicht ausgeführt."));
  EXPECT_EQ(counted(2), QStringLiteral("2 Studien in der Warteschlange werden nicht ausgeführt."));
}

TEST_F(TranslationsTest, NumbersHaveADecimalPointInAGermanWindow) {
  QLocale::setDefault(QLocale(QLocale::German));
  useLanguage(QStringLiteral("de"));
  showEveryView();
  EXPECT_EQ(views::countText(1234), QStringLiteral("1234"));
  EXPECT_EQ(QLocale().toString(0.5), QStringLiteral("0.5")) << "as spin boxes write";
  const QStringList texts = cells();
  EXPECT_GT(texts.filter(QRegularExpression(QStringLiteral("^\\d+\\.\\d+$"))).size(), 100);
  EXPECT_EQ(texts.filter(QRegularExpression(QStringLiteral("\\d,\\d"))), QStringList());
}

TEST_F(TranslationsTest, MnemonicsOfAGermanMenuAreUnique) {
  useLanguage(QStringLiteral("de"));
  // Alt and a letter open a menu of the bar or go to a box of the tool bar.
  QStringList ofWindow = textsOf(m_window->menuBar()->actions());
  for (const QLabel* label : m_window->findChild<QToolBar*>()->findChildren<QLabel*>()) {
    ofWindow << label->text();
  }
  expectUniqueMnemonics(ofWindow);
  EXPECT_GE(ofWindow.size(), 10);
  for (const QMenu* menu : m_window->menuBar()->findChildren<QMenu*>()) {
    expectUniqueMnemonics(textsOf(menu->actions()));
  }
}

TEST_F(TranslationsTest, EveryKeyOfAStudyHasAChineseName) {
  useLanguage(QStringLiteral("zh_CN"));
  const QRegularExpression han(QStringLiteral("\\p{Han}"));
  std::size_t keys = 0;
  for (const views::KeySection& section : views::keySections()) {
    EXPECT_TRUE(section.title.contains(han)) << section.title.toStdString();
    keys += section.keys.size();
    for (const study::Key* key : section.keys) {
      EXPECT_TRUE(views::keyName(*key).contains(han)) << key->path;
    }
  }
  EXPECT_EQ(keys, study::schemaKeys().size()) << "each key is in one section";
}

TEST_F(TranslationsTest, MetricsAndTensorsKeepTheirNames) {
  useLanguage(QStringLiteral("zh_CN"));
  showEveryView();
  for (const views::MetricInfo& metric : workspace().reports.document()->metrics()) {
    EXPECT_FALSE(metric.label.contains(QRegularExpression(QStringLiteral("\\p{Han}"))))
        << metric.label.toStdString();
  }
}

TEST_F(TranslationsTest, EveryTextOfTheWindowCanBeTranslated) {
  usePseudo();
  showEveryView();
  const auto check = [](const QString& text, const char* what) {
    // Names of the report, of metrics, of files and of this program, numbers and signs are the same
    // everywhere.
    static const QRegularExpression kWords(QStringLiteral("[A-Za-z]{3,} [A-Za-z]{2,}"));
    static const QRegularExpression kMetric(QStringLiteral("^(RMS|Mean|Max|Ref) "));
    if (kWords.match(text).hasMatch() && !text.contains(u'[') && !kMetric.match(text).hasMatch()) {
      ADD_FAILURE() << what << ": " << text.toStdString();
    }
  };
  for (const QAction* action : m_window->findChildren<QAction*>()) {
    check(action->text(), "action");
    check(action->toolTip(), "tool tip");
  }
  for (const QWidget* widget : m_window->findChildren<QWidget*>()) {
    check(widget->toolTip(), "tool tip");
    check(widget->accessibleName(), "accessible name");
    if (const auto* label = qobject_cast<const QLabel*>(widget)) {
      check(label->text(), "label");
    }
    if (const auto* button = qobject_cast<const QAbstractButton*>(widget)) {
      check(button->text(), "button");
    }
  }
}

}  // namespace
}  // namespace ulp::app
