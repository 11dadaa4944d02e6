// Warnings in the header bar and the status bar.

#include "tests/support/test_program.h"
#include "widgets/controls/header_bar.h"
#include "widgets/controls/omnibox.h"
#include "widgets/controls/status_bar.h"
#include "widgets/theme/themes.h"

#include <QLabel>
#include <QMenuBar>
#include <QPaintEvent>
#include <QTest>
#include <QToolButton>

using namespace helio;

namespace {

/// Counts the complete repaints of a widget.
class WholePaints : public QObject {
public:
    explicit WholePaints(QWidget& widget)
        : m_widget(widget)
    {
        widget.installEventFilter(this);
    }

    int count = 0;

private:
    bool eventFilter(QObject*, QEvent* event) override
    {
        count += event->type() == QEvent::Paint && static_cast<QPaintEvent*>(event)->rect() == m_widget.rect();
        return false;
    }

    QWidget& m_widget;
};

} // namespace

class BarsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { Themes::instance().setTheme(Theme::Kind::Dark); }

    void warningsAndErrorsAreCountedApartEachInItsColour()
    {
        StatusBar bar;
        const auto button = [&](const QString& text) {
            for (QToolButton* it : bar.findChildren<QToolButton*>())
                if (it->text() == text)
                    return it;
            return static_cast<QToolButton*>(nullptr);
        };
        bar.setWarnings(4);
        QVERIFY(button("4 warnings"));
        QCOMPARE(button("4 warnings")->palette().color(QPalette::ButtonText), theme().color("severity.warning"));
        bar.setWarnings(4, 1);
        QVERIFY(button("1 error, 3 warnings"));
        QCOMPARE(button("1 error, 3 warnings")->palette().color(QPalette::ButtonText), theme().color("severity.error"));
        bar.setWarnings(2, 2);
        QVERIFY(button("2 errors"));
        bar.setWarnings(0);
        QVERIFY(!button("0 warnings")->isVisibleTo(&bar));
    }

    void theLinesBetweenTheFieldsMoveWithThem()
    {
        StatusBar bar;
        bar.resize(900, bar.height());
        bar.show();
        bar.setWindow("1 s");
        QTRY_VERIFY(bar.isVisible());
        QCoreApplication::processEvents();
        WholePaints paints(bar);
        bar.setWindow("1.000 000 000 s");
        QTRY_VERIFY(paints.count > 0);
    }

    void buttonsOfTheStatusBarStayInANarrowWindow()
    {
        StatusBar bar;
        bar.setWindow("13:56:22.654 383 210 \u2013 13:56:33.664 383 210");
        bar.setSpan("11.010 s");
        bar.setSelected("204.98 ms");
        bar.setCursorTime("13:56:27.839 123 456");
        bar.setFact("Clocks", "\u00b1629 \u00b5s", "How accurate");
        bar.setWarnings(4, 1);
        bar.say("Copied: heliograph critical-path /a/long/path/of/a/trace --thread 204 --why 1795355786431618385");
        bar.showProgress("Reading", 0.4, "412 of 664, 3 s left", {});
        bar.show();
        const auto value = [&](const QString& name) {
            for (const QLabel* it : bar.findChildren<QLabel*>())
                if (it->accessibleName() == name)
                    return it;
            return static_cast<const QLabel*>(nullptr);
        };
        QVERIFY(!value("Window") && !value("Span"));
        QTRY_VERIFY(std::ranges::any_of(bar.findChildren<QWidget*>(),
                                        [](const QWidget* it) { return it->accessibleName() == "Work in progress" && it->isVisible(); }));
        for (const int width : {1920, 1360, 1024, 800}) {
            bar.resize(width, bar.height());
            QTRY_COMPARE(bar.width(), width);
            for (const QToolButton* button : bar.findChildren<QToolButton*>())
                QVERIFY2(button->mapTo(&bar, QPoint(button->width(), 0)).x() <= width, qPrintable(QString::number(width)));
            QVERIFY(value("Cursor")->isVisible() && value("Cursor")->width() >= value("Cursor")->sizeHint().width());
            if (width == 1920 || width == 800)
                QCOMPARE(value("Duration")->isVisible(), width == 1920);
        }
        bar.resize(1920, bar.height());
        QTRY_VERIFY(value("Duration")->isVisible() && value("Visible")->isVisible());
    }

    void onlyTheShownWorkIsStopped()
    {
        StatusBar bar;
        int reading = 0, exporting = 0;
        bar.cancelWork(); // Nothing is running.
        bar.showProgress("Reading", 0.4, {}, [&] { ++reading; });
        bar.showProgress("Exporting", 0.1, {}, [&] { ++exporting; });
        bar.cancelWork();
        QCOMPARE(std::pair(reading, exporting), std::pair(0, 1));
        bar.endProgress();
        bar.cancelWork();
        QCOMPARE(exporting, 1);
    }

    void theTickIsForWhatHasNoWarnings()
    {
        HeaderBar bar;
        const auto sign = [&] {
            for (const QLabel* label : bar.findChildren<QLabel*>())
                if (!label->pixmap().isNull())
                    return label;
            return static_cast<const QLabel*>(nullptr);
        };
        bar.setExperiment("LTTng kernel", "login");
        QCOMPARE(sign()->accessibleName(), QString("Complete"));
        bar.setExperiment("LTTng kernel", "login", {}, true);
        QCOMPARE(sign()->accessibleName(), QString("Warning"));
        const auto says = [&](const QString& text) {
            return std::ranges::any_of(bar.findChildren<QLabel*>(), [&](const QLabel* label) { return label->text() == text; });
        };
        QVERIFY(says("LTTng kernel, with warnings")); // The text is the kind of trace, not the problem.
        bar.setExperiment("LTTng kernel", "login", "3 events lost");
        QCOMPARE(sign()->accessibleName(), QString("Warning"));
    }

    /// Property: a narrow window hides the text, but not the warning sign.
    void theSignStaysInANarrowWindow()
    {
        HeaderBar bar;
        for (const char* const menu : {"File", "View", "Go", "Analysis", "Compare", "Help"})
            bar.menus().addMenu(menu);
        bar.setExperiment(QString(150, u'x'), "login", {}, true);
        bar.resize(1100, 38);
        bar.show();
        const auto labels = bar.findChildren<QLabel*>();
        const auto sign = std::ranges::find_if(labels, [](const QLabel* label) { return !label->pixmap().isNull(); });
        QVERIFY((*sign)->isVisible());
        QVERIFY((*sign)->toolTip().contains("xxx"));
        QVERIFY(std::ranges::any_of(labels, [](const QLabel* label) { return label->text() == "login" && label->isVisible(); }));
        QVERIFY(std::ranges::none_of(labels, [](const QLabel* label) { return label->text().startsWith("xxx") && label->isVisible(); }));
    }

    /// Property: on small screens, the clocks' state is readable, and the search field gets narrower instead.
    void theBadgesWordsComeBeforeAWideField()
    {
        HeaderBar bar;
        for (const char* const menu : {"File", "View", "Go", "Analysis", "Compare", "Help"})
            bar.menus().addMenu(menu);
        QAction action("tool");
        for (int i = 0; i < 7; ++i)
            bar.addTool(&action);
        bar.setExperiment("3 clocks aligned by packets", "client, web, db \u00b7 client + 2");
        bar.resize(1280, 38);
        bar.show();
        const auto labels = bar.findChildren<QLabel*>();
        const auto words = std::ranges::find_if(labels, [](const QLabel* label) { return label->text().startsWith("3 clocks"); });
        QVERIFY((*words)->isVisible());
        QVERIFY(bar.omnibox().width() >= 300);
        const QPoint left = (*words)->mapTo(&bar, QPoint());
        QVERIFY(left.x() > bar.omnibox().geometry().right());
        QVERIFY((*words)->width() >= (*words)->sizeHint().width());
        bar.resize(1100, 38);
        QVERIFY(!(*words)->isVisible());
        QVERIFY(bar.omnibox().width() > 300); // The narrow bar hides the text about clocks, so that the search field has enough width.
    }

    /// Property: in a header bar of 1024 pixels, the search field becomes narrower and the experiment's name is abbreviated; its tooltip
    /// has the whole name.
    void theNameStaysInANarrowWindow()
    {
        HeaderBar bar;
        for (const char* const menu : {"File", "Edit", "View", "Go", "Analysis", "Compare", "Help"})
            bar.menus().addMenu(menu);
        QAction action("tool");
        for (int i = 0; i < 7; ++i)
            bar.addTool(&action);
        const QString name("client, web, db \u00b7 a recording with a long name");
        bar.setExperiment("3 clocks aligned by packets", name);
        bar.resize(1024, 38);
        bar.show();
        const auto labels = bar.findChildren<QLabel*>();
        const QLabel* const label = *std::ranges::find(labels, name, &QLabel::text);
        QVERIFY(label->isVisible());
        QVERIFY(label->width() >= 60 && label->width() < label->sizeHint().width());
        QVERIFY(label->mapTo(&bar, QPoint()).x() > bar.omnibox().geometry().right());
        QVERIFY(bar.omnibox().width() >= 150);
        QTRY_COMPARE(label->toolTip(), name);
        bar.setExperiment({}, "login");
        QVERIFY(bar.omnibox().width() > 150);
        QTRY_COMPARE(label->toolTip(), QString());
    }

    void theFieldIsNotWiderThanItsRoom()
    {
        HeaderBar bar;
        for (const char* const menu : {"File", "View", "Go", "Analysis", "Compare", "Help"})
            bar.menus().addMenu(menu);
        bar.setExperiment("LTTng kernel", "login");
        bar.show();
        for (const int width : {2000, 1000, 700, 600, 500, 400}) {
            bar.resize(width, 38);
            QVERIFY2(bar.omnibox().geometry().right() < width || bar.omnibox().width() == 0, qPrintable(QString::number(width)));
        }
    }
};

HELIO_TEST(BarsTest)
#include "tst_bars.moc"
