// Appearance of the controls (look.md, section 13), tested by their pixels in both themes.

#include "tests/support/test_program.h"
#include "widgets/controls/icons.h"
#include "widgets/controls/menus.h"
#include "widgets/controls/pill.h"
#include "widgets/controls/table_style.h"
#include "widgets/paint/focus_ring.h"
#include "widgets/style/control_style.h"
#include "widgets/theme/themes.h"

#include <QAbstractItemView>
#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QStandardItemModel>
#include <QStyleOption>
#include <QTabBar>
#include <QTest>
#include <QToolButton>
#include <QTreeView>
#include <QTreeWidget>
#include <QVBoxLayout>

using namespace helio;

namespace {

QImage pictureOf(QWidget& widget)
{
    QImage image(widget.size(), QImage::Format_ARGB32_Premultiplied);
    image.fill(theme().color("surface.panel"));
    widget.render(&image, {}, {}, QWidget::DrawChildren);
    return image;
}

/// x of the leftmost pixel that differs from the background in the lines from `top` to `bottom`; search begins at `from`.
int leftOfInk(const QImage& image, QColor ground, int from, int top, int bottom)
{
    for (int x = from; x < image.width(); ++x)
        for (int y = top; y < bottom; ++y)
            if (contrast(image.pixelColor(x, y), ground) > 1.6)
                return x;
    return -1;
}

/// x of the rightmost pixel before `to` that differs from the background.
int rightOfInk(const QImage& image, QColor ground, int to)
{
    for (int x = to - 1; x >= 0; --x)
        for (int y = 4; y < image.height() - 4; ++y)
            if (contrast(image.pixelColor(x, y), ground) > 1.6)
                return x;
    return -1;
}

} // namespace

class ControlStyleTest : public QObject {
    Q_OBJECT

private slots:
    void init() { useControlStyle(); }

    void eachTheme_data()
    {
        QTest::addColumn<bool>("isDark");
        QTest::newRow("dark") << true;
        QTest::newRow("light") << false;
    }

    void dialogsThatAskTheStyleHaveTheProgramsIcons_data() { eachTheme_data(); }
    void dialogsThatAskTheStyleHaveTheProgramsIcons()
    {
        QFETCH(bool, isDark);
        Themes::instance().setTheme(isDark ? Theme::Kind::Dark : Theme::Kind::Light);
        useControlStyle([](const QString& name) { return themedIcon(name); });
        for (const auto& [asked, name] :
             {std::pair(QStyle::SP_DirIcon, "folder"), std::pair(QStyle::SP_FileDialogNewFolder, "folder-new"),
              std::pair(QStyle::SP_FileDialogToParent, "up"), std::pair(QStyle::SP_FileDialogListView, "list")}) {
            const QImage own = iconPixmap(name, theme().color("text.secondary")).toImage();
            QVERIFY2(!own.isNull(), name);
            QCOMPARE(QApplication::style()->standardIcon(asked).pixmap(16).toImage(), own);
        }
    }

    void fieldsHaveAnEdgeThatIsSeen_data() { eachTheme_data(); }
    void fieldsHaveAnEdgeThatIsSeen()
    {
        QFETCH(bool, isDark);
        Themes::instance().setTheme(isDark ? Theme::Kind::Dark : Theme::Kind::Light);
        QLineEdit field;
        field.resize(200, field.sizeHint().height());

        const QImage image = pictureOf(field);

        QCOMPARE(image.pixelColor(100, 0), theme().color("line.strong"));
        QCOMPARE(image.pixelColor(100, image.height() - 1), theme().color("line.strong"));
        QCOMPARE(image.pixelColor(100, 3), theme().color("surface.input"));
        QCOMPARE(image.pixelColor(0, 0), theme().color("surface.panel")); // The corners are rounded.
    }

    void anUncheckedBoxIsVisible_data() { eachTheme_data(); }
    void anUncheckedBoxIsVisible()
    {
        QFETCH(bool, isDark);
        Themes::instance().setTheme(isDark ? Theme::Kind::Dark : Theme::Kind::Light);
        QCheckBox box;
        box.resize(box.sizeHint());
        QMenu menu;
        menu.addAction("Hide rows")->setCheckable(true);
        menu.resize(menu.sizeHint());

        const QImage alone = pictureOf(box);
        const QImage image = pictureOf(menu);

        QVERIFY(leftOfInk(alone, theme().color("surface.panel"), 0, alone.height() / 2 - 2, alone.height() / 2 + 2) >= 0);
        const QRect line = menu.actionGeometry(menu.actions().front());
        const int left = leftOfInk(image, theme().color("surface.raised"), line.left() + 2, line.center().y() - 2, line.center().y() + 2);
        // The first visible pixel belongs to the left edge of the unchecked box, which has the place of an icon.
        QVERIFY(left >= line.left() + 10 && left <= line.left() + 14);
    }

    void menusLieOnRaisedGroundWithAnEdge_data() { eachTheme_data(); }
    void menusLieOnRaisedGroundWithAnEdge()
    {
        QFETCH(bool, isDark);
        Themes::instance().setTheme(isDark ? Theme::Kind::Dark : Theme::Kind::Light);
        QMenu menu;
        menu.addAction("One");
        menu.resize(menu.sizeHint());

        const QImage image = pictureOf(menu);

        const QRect line = menu.actionGeometry(menu.actions().front());
        QCOMPARE(line.height(), 26);
        QCOMPARE(image.pixelColor(line.left() + 3, line.center().y()), theme().color("surface.raised"));
        QCOMPARE(image.pixelColor(line.left(), line.center().y()), theme().color("line.strong"));
    }

    void titlesOfAMenuAreAboveItsWords_data() { eachTheme_data(); }
    void titlesOfAMenuAreAboveItsWords()
    {
        QFETCH(bool, isDark);
        Themes::instance().setTheme(isDark ? Theme::Kind::Dark : Theme::Kind::Light);
        for (const bool hasTicks : {false, true}) {
            QMenu menu;
            QAction* title = menu.addSection("Hidden");
            QAction* item = hasTicks ? nullptr : menu.addAction("Hidden");
            if (hasTicks) {
                addExclusiveAction(&menu, "Hidden", false, [] {});
                item = menu.actions().back();
            }
            menu.resize(menu.sizeHint());

            const QImage image = pictureOf(menu);

            const auto left = [&](QAction* action) {
                const QRect line = menu.actionGeometry(action);
                return leftOfInk(image, theme().color("surface.raised"), line.left() + 2, line.top() + 6, line.bottom() - 5);
            };
            QVERIFY2(std::abs(left(title) - left(item)) <= 1, qPrintable(QString("%1 %2").arg(left(title)).arg(left(item))));
        }
    }

    void theDefaultButtonIsThePrimary_data() { eachTheme_data(); }
    void theDefaultButtonIsThePrimary()
    {
        QFETCH(bool, isDark);
        Themes::instance().setTheme(isDark ? Theme::Kind::Dark : Theme::Kind::Light);
        QPushButton plain("Copy");
        QPushButton primary("Why?");
        primary.setDefault(true);
        for (QPushButton* button : {&plain, &primary})
            button->resize(button->sizeHint());

        QCOMPARE(plain.height(), 24);
        QCOMPARE(pictureOf(plain).pixelColor(5, 5), theme().color("surface.header"));
        QCOMPARE(pictureOf(plain).pixelColor(plain.width() / 2, 0), theme().color("line.strong"));
        QCOMPARE(pictureOf(primary).pixelColor(5, 5), theme().color("accent.fill"));
        QCOMPARE(pictureOf(primary).pixelColor(primary.width() / 2, 0), theme().color("accent.fill"));
        QVERIFY(plain.width() >= plain.fontMetrics().horizontalAdvance("Copy") + 20);
    }

    void aDisabledToggleDoesNotLookPressed()
    {
        QToolButton button;
        button.setCheckable(true);
        button.setChecked(true);
        button.resize(24, 24);
        QCOMPARE(pictureOf(button).pixelColor(3, 12), theme().color("surface.selected"));
        button.setEnabled(false);
        QCOMPARE(pictureOf(button).pixelColor(3, 12), theme().color("surface.panel"));
    }

    void dialogsHaveNoStockIcons()
    {
        QDialogButtonBox box(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
        for (const auto which : {QDialogButtonBox::Ok, QDialogButtonBox::Cancel})
            QVERIFY(box.button(which)->icon().isNull());
    }

    void aRingIsSeenOnlyWhereKeysAreUsed()
    {
        Themes::instance().setTheme(Theme::Kind::Dark);
        QWidget window;
        auto* lines = new QVBoxLayout(&window);
        auto* first = new Pill("Whole trace");
        auto* second = new Pill("Selected range");
        lines->addWidget(first);
        lines->addWidget(second);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QApplication::setActiveWindow(&window);
        const auto hasRing = [](QWidget& pill) {
            const QImage image = pictureOf(pill);
            return image.pixelColor(pill.width() / 2, 0) == theme().color("accent.line");
        };

        QTest::mouseClick(first, Qt::LeftButton);
        // When the focused widget is hidden, Qt moves the focus to another widget with Qt::TabFocusReason. The user pressed no key, so no
        // focus ring must appear.
        first->setFocus(Qt::TabFocusReason);
        QVERIFY(!hasRing(*first));

        QTest::keyClick(first, Qt::Key_Tab);
        QVERIFY(second->hasFocus());
        QVERIFY(hasRing(*second));

        QTest::mouseClick(&window, Qt::LeftButton);
        QVERIFY(!hasRing(*second));
    }

    void theButtonThatClearsAFieldHasAName()
    {
        QLineEdit field;
        field.setClearButtonEnabled(true);
        field.setText("text");
        field.show();
        auto* const clear = field.findChild<QToolButton*>();
        QVERIFY(clear);
        QCOMPARE(QAccessible::queryAccessibleInterface(clear)->text(QAccessible::Name), QString("Clear"));
    }

    void aTabIsAsWideBeforeAsAfterItIsChosen()
    {
        QTabBar tabs;
        tabs.setExpanding(false);
        tabs.addTab("Functions");
        tabs.addTab("Flame graph");
        const QRect before = tabs.tabRect(1);
        tabs.setCurrentIndex(1);
        QCOMPARE(tabs.tabRect(1), before);
        QCOMPARE(before.height(), 28);
    }

    void theSortedTitleIsMarkedBesideItsWords()
    {
        Themes::instance().setTheme(Theme::Kind::Dark);
        QStandardItemModel model(1, 2);
        model.setHorizontalHeaderLabels({"Name", "total"});
        for (int column = 0; column < 2; ++column)
            model.setHeaderData(column, Qt::Horizontal, int(column == 0 ? Qt::AlignLeft : Qt::AlignRight), Qt::TextAlignmentRole);
        QTreeView table;
        table.setModel(&model);
        table.resize(300, 100);
        table.header()->resizeSection(0, 150);
        table.header()->resizeSection(1, 150);
        const auto inkOf = [&] {
            const QImage image = pictureOf(*table.header());
            const QColor ground = theme().color("surface.panel");
            return std::pair(leftOfInk(image, ground, 2, 4, image.height() - 4), leftOfInk(image, ground, 150, 4, image.height() - 4));
        };
        table.header()->setSortIndicatorShown(false);
        pictureOf(table); // Painting computes the header's width.
        const auto [name, total] = inkOf();
        QVERIFY(total > 0);

        table.header()->setSortIndicator(1, Qt::DescendingOrder);
        table.header()->setSortIndicatorShown(true);

        QCOMPARE(inkOf().first, name);
        QVERIFY(inkOf().second < total - 8); // The sort mark is left of right-aligned text.
    }

    void aTitleHasRoomForItsWordsAndTheMark()
    {
        QStandardItemModel model(1, 3);
        model.setHorizontalHeaderLabels({"total", "count", "p50"});
        QTreeView table;
        table.setModel(&model);
        table.setSortingEnabled(true);
        table.sortByColumn(0, Qt::DescendingOrder);
        table.header()->setMinimumSectionSize(10);
        table.header()->setStretchLastSection(false);
        for (int column = 0; column < 3; ++column)
            table.header()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
        table.resize(300, 100);
        pictureOf(table);
        constexpr int Around = 2 * 8 + 11 + 3;
        for (int column = 0; column < 3; ++column) {
            const QString title = model.headerData(column, Qt::Horizontal).toString();
            QVERIFY2(table.header()->sectionSize(column) >= table.header()->fontMetrics().horizontalAdvance(title) + Around,
                     qPrintable(title));
        }
    }

    /// Property: the title of a column is at the same position whether the column is sorted or not, even if the column is only as wide as
    /// its title.
    void theSortedTitleIsWhereItIsUnsorted()
    {
        Themes::instance().setTheme(Theme::Kind::Dark);
        QStandardItemModel model(0, 2);
        model.setHorizontalHeaderLabels({"total", "Begin"});
        model.setHeaderData(0, Qt::Horizontal, int(Qt::AlignRight), Qt::TextAlignmentRole);
        QTreeView table;
        table.setModel(&model);
        table.setSortingEnabled(true);
        table.header()->setStretchLastSection(false);
        for (int column = 0; column < 2; ++column)
            table.header()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
        table.resize(300, 100);
        const int firstEnd = [&] {
            pictureOf(table);
            return table.header()->sectionSize(0);
        }();
        const auto inkOf = [&](int sorted) {
            table.sortByColumn(sorted, Qt::DescendingOrder);
            const QImage image = pictureOf(*table.header());
            const QColor ground = theme().color("surface.panel");
            return std::pair(rightOfInk(image, ground, firstEnd), leftOfInk(image, ground, firstEnd + 2, 4, image.height() - 4));
        };
        const auto [totalSorted, begin] = inkOf(0);
        const auto [total, beginSorted] = inkOf(1);
        QVERIFY(total > 0 && begin > firstEnd);
        // The titles stay at their position if the sort column changes; only their colour differs.
        QVERIFY2(std::abs(totalSorted - total) <= 1, qPrintable(QString("%1 %2").arg(totalSorted).arg(total)));
        QVERIFY2(std::abs(beginSorted - begin) <= 1, qPrintable(QString("%1 %2").arg(beginSorted).arg(begin)));
        const QImage image = pictureOf(*table.header());
        const int words =
            // The right end includes the sort mark after the title "Begin".
            rightOfInk(image, theme().color("surface.panel"), image.width()) - beginSorted;
        QVERIFY(words > table.header()->fontMetrics().horizontalAdvance("Begin") + 4);
    }

    void numbersEndBelowTheEndOfTheirTitle()
    {
        Themes::instance().setTheme(Theme::Kind::Light);
        QTreeWidget table;
        setItemColumns(table, {"Cause", "88"});
        addItemLine(table, {"x", "88"});
        table.resize(300, 100);
        pictureOf(table); // Painting computes the header's width.
        const auto endOf = [](QWidget& part) {
            const QImage image = pictureOf(part);
            return rightOfInk(image, theme().color("surface.panel"), image.width());
        };
        const int title = endOf(*table.header());
        const int number = endOf(*table.viewport());
        QVERIFY2(title > 0 && std::abs(title - number) <= 2, qPrintable(QString("%1 %2").arg(title).arg(number)));
    }

    void nothingIsDrawnBetweenTwoScrollBars()
    {
        QImage image(10, 10, QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::transparent);
        const QImage before = image;
        QPainter painter(&image);
        QStyleOption option;
        option.rect = image.rect();
        QApplication::style()->drawPrimitive(QStyle::PE_PanelScrollAreaCorner, &option, &painter);
        painter.end();
        QCOMPARE(image, before);
    }

    void aTreesChevronShowsWhetherItsLineIsOpen()
    {
        const auto drawn = [](QStyle::State state) {
            QImage image(16, 16, QImage::Format_ARGB32_Premultiplied);
            image.fill(Qt::transparent);
            QPainter painter(&image);
            QStyleOption option;
            option.rect = image.rect();
            option.state = QStyle::State_Enabled | state;
            QApplication::style()->drawPrimitive(QStyle::PE_IndicatorBranch, &option, &painter);
            painter.end();
            return image;
        };
        const QImage none = drawn({});
        const QImage closed = drawn(QStyle::State_Children);
        const QImage open = drawn(QStyle::State_Children | QStyle::State_Open);
        QVERIFY(closed != none && open != none && open != closed);
    }

    void aListThatOpensLiesOnRaisedGround()
    {
        for (const Theme::Kind kind : {Theme::Kind::Light, Theme::Kind::Dark}) {
            Themes::instance().setTheme(kind);
            QComboBox box;
            box.addItem("All threads");
            QCOMPARE(box.sizeHint().height(), 22);
            QCOMPARE(box.view()->palette().color(QPalette::Base), theme().color("surface.raised"));
        }
    }

    /// Property: the text of a combo box's list begins as far from the edge as that of a menu, and its lines are as far apart.
    void aListThatOpensHasThePaddingOfAMenu()
    {
        QComboBox box;
        box.addItems({"All threads", "One thread"});
        box.ensurePolished();
        const auto* list = qobject_cast<QListView*>(box.view());
        QVERIFY(list);
        QCOMPARE(list->spacing(), 5);
        QCOMPARE(list->spacing() + box.style()->pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, list) + 1, 12);
    }
};

HELIO_TEST(ControlStyleTest)
#include "tst_control_style.moc"
