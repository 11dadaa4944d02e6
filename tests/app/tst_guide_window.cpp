#include "app/gui/common/guide_window.h"
#include "app/gui/common/markdown_style.h"
#include "tests/support/files.h"
#include "tests/support/test_program.h"
#include "widgets/theme/themes.h"

#include <QDir>
#include <QFile>
#include <QLineEdit>
#include <QListWidget>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextTable>
#include <QToolButton>
#include <QUrl>

using namespace helio;

namespace {

const QString Guide = QStringLiteral(SOURCE_DIR "/resources/guide");

const char* const FirstPage = R"(# The guide

Read [about waits](waits.md), then [how to record](record.md#two-hosts).

## Open a trace

| Key | Meaning | Since |
|---|---|---|
| `Ctrl+O` | Open a trace with a name that is long enough to need more than one line in a window of a usual width, and then more | 1 |
| `H` | | |

The futex of one wait.
)";

const char* const WaitsPage = R"(# Why did it `wait`?

Back to [the guide](guide.md), or to [the end](#the-end). See <https://lttng.org>.

```sh
lttng enable-event -k sched_switch,sched_waking,sched_wakeup,sched_wakeup_new,sched_process_fork,sched_process_exec,sched_process_exit
lttng start
```

| Event | Meaning |
|---|---|
| `sched_waking` | A thread is woken |

![A red square](images/square.png) and ![a wide picture](images/wide.png)

A futex, and another Futex.

## The end

## The end
)";

const char* const RecordPage = "# Record\n\nWith one host.\n\n## Two hosts\n\nWith two hosts, a futex.\n";

/// A guide of three pages linked from guide.md, one page without links to it, and images.
class MadeGuide {
public:
    MadeGuide()
    {
        test::writeFile(path("guide.md"), FirstPage);
        test::writeFile(path("waits.md"), WaitsPage);
        test::writeFile(path("record.md"), QByteArray(RecordPage) + QByteArray("\nOne more line.\n").repeated(200));
        test::writeFile(path("another.md"), "Only text.\n");
        QDir(m_folder.path()).mkdir("images");
        saveImage("images/square.png", {8, 8}, Qt::red);
        saveImage("images/square-light.png", {8, 8}, Qt::blue);
        saveImage("images/wide.png", {3000, 10}, Qt::red);
    }

    QString path(const QString& file = {}) const { return m_folder.filePath(file); }

private:
    void saveImage(const QString& file, const QSize& size, const QColor& color)
    {
        QImage image(size, QImage::Format_RGB32);
        image.fill(color);
        image.save(path(file));
    }

    QTemporaryDir m_folder;
};

QTextBrowser& browserOf(GuideWindow& guide) { return *guide.findChild<QTextBrowser*>(); }

void follow(GuideWindow& guide, const char* link) { emit browserOf(guide).anchorClicked(QUrl(QString::fromUtf8(link))); }

/// Distance in pixels from the top of the viewport to the top of a heading.
int headingTop(GuideWindow& guide, const QString& heading)
{
    QTextBrowser& browser = browserOf(guide);
    return browser.cursorRect(browser.document()->find(heading)).top();
}

QTextBlock blockOf(GuideWindow& guide, const QString& text) { return browserOf(guide).document()->find(text).block(); }

/// Returns the background colour of the page 4 pixels to the left of a text.
QColor colorBeside(GuideWindow& guide, const QString& text)
{
    QTextBrowser& browser = browserOf(guide);
    QTextCursor cursor = browser.document()->find(text);
    cursor.setPosition(cursor.selectionStart());
    const QRect rect = browser.cursorRect(cursor);
    return browser.viewport()->grab().toImage().pixelColor(rect.left() - 4, rect.center().y());
}

QColor imageColor(GuideWindow& guide, const char* image)
{
    const QVariant loaded = browserOf(guide).document()->resource(QTextDocument::ImageResource, QUrl(image));
    return loaded.value<QPixmap>().toImage().pixelColor(4, 4);
}

QString readText(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// HTML tags of a page outside of code blocks and inline code.
QStringList tagsOutsideCode(QString markdown)
{
    static const QRegularExpression fenced("^ *```.*?^ *```",
                                           QRegularExpression::MultilineOption | QRegularExpression::DotMatchesEverythingOption);
    static const QRegularExpression indented("^ {4}.*$", QRegularExpression::MultilineOption), code("`[^`]*`"), tag("</?[a-z]+[^>:]*>");
    QStringList tags;
    for (const auto& match : tag.globalMatch(markdown.remove(fenced).remove(indented).remove(code)))
        tags << match.captured();
    return tags;
}

/// Formats of all fragments of text and images.
QList<QTextCharFormat> formatsOf(const QTextDocument& document)
{
    QList<QTextCharFormat> formats;
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
        for (auto it = block.begin(); !it.atEnd(); ++it)
            formats << it.fragment().charFormat();
    return formats;
}

/// Anchors of the headings of a page.
QStringList anchorsOf(GuideWindow& guide, const QString& page)
{
    guide.open(page);
    QStringList anchors;
    for (QTextBlock block = browserOf(guide).document()->begin(); block.isValid(); block = block.next())
        anchors << block.charFormat().anchorNames();
    return anchors;
}

} // namespace

class GuideWindowTest : public QObject {
    Q_OBJECT

private slots:
    void init() { Themes::instance().setTheme(Theme::Kind::Dark); }
    void cleanup() { init(); }

    void pagesAreListedInTheOrderOfTheFirstPagesLinks()
    {
        const MadeGuide made;
        GuideWindow guide(made.path());
        QCOMPARE(guide.pages(), (QStringList{"guide.md", "waits.md", "record.md", "another.md"}));
        QCOMPARE(guide.page(), QString("guide.md"));
        QStringList titles;
        for (int i = 0; i < guide.findChild<QListWidget*>()->count(); ++i)
            titles << guide.findChild<QListWidget*>()->item(i)->text();
        QCOMPARE(titles, (QStringList{"The guide", "Why did it wait?", "Record", "another"}));
    }

    void anchorsAreNamedAsCodeHostsNameThem_data()
    {
        QTest::addColumn<QString>("heading");
        QTest::addColumn<QString>("anchor");
        test::addRow("words", "Open a trace", "open-a-trace");
        test::addRow("punctuation", "Why did it wait?", "why-did-it-wait");
        test::addRow("options", "--by hosts, lock_stat", "--by-hosts-lock_stat");
        test::addRow("sign between spaces", "Locks & waits", "locks--waits");
        test::addRow("letters of other languages", QString::fromUtf8("\u00dcber 2 Hosts"), QString::fromUtf8("\u00fcber-2-hosts"));
    }
    void anchorsAreNamedAsCodeHostsNameThem()
    {
        QFETCH(QString, heading);
        QTEST(headingAnchor(heading), "anchor");
    }

    void repeatedHeadingsHaveAnchorsOfTheirOwn()
    {
        const MadeGuide made;
        GuideWindow guide(made.path());
        QCOMPARE(anchorsOf(guide, "waits.md"), (QStringList{"why-did-it-wait", "the-end", "the-end-1"}));
    }

    void aLinkToAHeadingScrollsToIt()
    {
        const MadeGuide made;
        GuideWindow guide(made.path());
        guide.show();
        follow(guide, "record.md#two-hosts");
        QCOMPARE(guide.page(), QString("record.md"));
        QVERIFY(browserOf(guide).verticalScrollBar()->value() > 0);
        QVERIFY(std::abs(headingTop(guide, "Two hosts")) < 30);
        follow(guide, "#record");
        QVERIFY(browserOf(guide).verticalScrollBar()->value() < 30);
        QCOMPARE(guide.page(), QString("record.md"));
    }

    void backAndForwardGoThroughThePages()
    {
        const MadeGuide made;
        GuideWindow guide(made.path());
        auto* list = guide.findChild<QListWidget*>();
        const auto buttons = guide.findChildren<QToolButton*>();
        const auto button = [&](const char* name) {
            return *std::ranges::find_if(buttons, [&](QToolButton* it) { return it->accessibleName() == name; });
        };
        QVERIFY(!button("Back")->isEnabled());
        follow(guide, "waits.md");
        follow(guide, "record.md");
        QCOMPARE(list->currentRow(), 2);
        button("Back")->click();
        QCOMPARE(guide.page(), QString("waits.md"));
        QCOMPARE(list->currentRow(), 1);
        button("Forward")->click();
        QCOMPARE(guide.page(), QString("record.md"));
        QCOMPARE(list->currentRow(), 2);
        guide.findChild<QLineEdit*>()->setText("futex");
        guide.findChild<QLineEdit*>()->clear();
        QCOMPARE(list->currentRow(), 2);
    }

    void backReturnsToTheScrollPosition()
    {
        const MadeGuide made;
        GuideWindow guide(made.path());
        guide.show();
        guide.open("record.md");
        QScrollBar* bar = browserOf(guide).verticalScrollBar();
        bar->setValue(500);
        follow(guide, "waits.md");
        browserOf(guide).backward();
        QCOMPARE(guide.page(), QString("record.md"));
        QCOMPARE(bar->value(), 500);
    }

    void codeAndTablesHaveTheColoursOfTheTheme()
    {
        const MadeGuide made;
        GuideWindow guide(made.path());
        guide.show();
        const auto check = [&] {
            guide.open("waits.md");
            QCOMPARE(colorBeside(guide, "lttng start"), theme().color("surface.header"));
            QVERIFY(colorBeside(guide, "A futex") != theme().color("surface.header"));
            const QTextBlock code = blockOf(guide, "lttng start");
            QVERIFY(!code.blockFormat().nonBreakableLines());
            QCOMPARE(code.begin().fragment().charFormat().fontFamilies().toStringList(), QStringList(fonts().fixed().family()));
            const QTextCharFormat link = browserOf(guide).document()->find("the guide").charFormat();
            QCOMPARE(link.foreground().color(), theme().color("text.link"));
            QVERIFY(!link.fontUnderline());

            guide.open("guide.md");
            QTextTable* table = browserOf(guide).document()->find("Meaning").currentTable();
            QCOMPARE(table->format().borderBrush().color(), theme().color("line.strong"));
            const QTextCharFormat header = table->cellAt(0, 1).firstCursorPosition().block().begin().fragment().charFormat();
            QCOMPARE(header.fontWeight(), int(QFont::DemiBold));
            QCOMPARE(table->cellAt(2, 0).columnSpan(), 1); // The cell is not merged with the empty cells beside it.
            const QTextCharFormat key = browserOf(guide).document()->find("Ctrl+O").charFormat();
            QCOMPARE(key.background().color(), theme().color("surface.header"));
        };
        check();
        Themes::instance().setTheme(Theme::Kind::Light);
        check();
    }

    void codeInAHeadingKeepsItsSize()
    {
        const MadeGuide made;
        GuideWindow guide(made.path());
        guide.open("waits.md");
        const QTextBlock title = browserOf(guide).document()->begin();
        int fragments = 0;
        for (auto it = title.begin(); !it.atEnd(); ++it, ++fragments) {
            QCOMPARE(it.fragment().charFormat().intProperty(QTextFormat::FontSizeAdjustment), 3);
            QCOMPARE(it.fragment().charFormat().fontWeight(), int(QFont::DemiBold));
        }
        QCOMPARE(fragments, 3);
    }

    void aTableBehindCodeBeginsWithItsHeader()
    {
        const MadeGuide made;
        GuideWindow guide(made.path());
        guide.open("waits.md");
        const QTextTableCell cell = browserOf(guide).document()->find("Meaning").currentTable()->cellAt(0, 0);
        QCOMPARE(cell.firstCursorPosition().block().text(), QString("Event"));
        QCOMPARE(cell.firstCursorPosition().block(), cell.lastCursorPosition().block());
    }

    void aChangeOfTheThemeShowsThePageInItAtOnce()
    {
        const MadeGuide made;
        GuideWindow guide(made.path());
        guide.show();
        guide.open("record.md");
        browserOf(guide).verticalScrollBar()->setValue(300);
        Themes::instance().setTheme(Theme::Kind::Light);
        QCOMPARE(browserOf(guide).verticalScrollBar()->value(), 300);

        guide.open("waits.md");
        QCOMPARE(imageColor(guide, "images/square.png"), QColor(Qt::blue));
        Themes::instance().setTheme(Theme::Kind::Dark);
        QCOMPARE(colorBeside(guide, "lttng start"), theme().color("surface.header"));
        QCOMPARE(imageColor(guide, "images/square.png"), QColor(Qt::red));
    }

    void anImageThatNamesTheLightThemeIsShownInBoth()
    {
        const MadeGuide made;
        GuideWindow guide(made.path());
        QCOMPARE(imageColor(guide, "images/square-light.png"), QColor(Qt::red));
        Themes::instance().setTheme(Theme::Kind::Light);
        QCOMPARE(imageColor(guide, "images/square-light.png"), QColor(Qt::blue));
    }

    void noPageIsWiderThanTheWindow()
    {
        const MadeGuide made;
        for (const QString& folder : {made.path(), Guide}) {
            GuideWindow guide(folder);
            guide.show();
            for (const QString& page : guide.pages()) {
                guide.open(page);
                QCoreApplication::processEvents();
                // The user can scroll horizontally by less than 18 pixels, the page's margin. Otherwise, the page would be wider than the
                // window.
                QVERIFY2(browserOf(guide).horizontalScrollBar()->maximum() < 18, qPrintable(page));
            }
        }
    }

    void theSearchFindsTextInAnyPageAndSelectsIt()
    {
        const MadeGuide made;
        GuideWindow guide(made.path());
        auto* field = guide.findChild<QLineEdit*>();
        field->setText("FUTEX");
        QStringList pages;
        for (std::size_t i = 0; i < guide.hits().size(); ++i) {
            guide.openHit(i);
            pages << guide.page();
            QCOMPARE(guide.page(), guide.hits()[i].page);
            QCOMPARE(guide.selectedText().toLower(), QString("futex"));
        }
        QCOMPARE(pages, (QStringList{"guide.md", "waits.md", "waits.md", "record.md"}));
        field->setText("```");
        QVERIFY(guide.hits().empty()); // The search does not find Markdown syntax such as ```.
        field->clear();
        QCOMPARE(guide.findChild<QListWidget*>()->count(), int(guide.pages().size()));
    }

    void returnInTheSearchGoesFromHitToHit()
    {
        QTemporaryDir folder;
        for (const char* page : {"guide.md", "more.md"})
            test::writeFile(folder.filePath(page), "# Page\n\none wait, two waits\n");
        GuideWindow guide(folder.path());
        guide.show();
        auto* field = guide.findChild<QLineEdit*>();
        field->setText("wait");
        QCOMPARE(guide.hits().size(), std::size_t(4));
        QStringList pages;
        for (int i = 0; i < 4; ++i) {
            QTest::keyClick(field, Qt::Key_Return);
            pages << guide.page();
        }
        QCOMPARE(pages, (QStringList{"guide.md", "guide.md", "more.md", "more.md"}));
        QVERIFY(guide.isVisible()); // The key Return goes to the next hit and does not close the guide.
    }

    void everyPageOfTheGuideHasATitleAndWorkingLinks()
    {
        GuideWindow guide(Guide);
        const QStringList pages = guide.pages();
        QCOMPARE(pages.size(), QDir(Guide).entryList({"*.md"}).size());
        QHash<QString, QStringList> anchors;
        for (const QString& page : pages)
            anchors[page] = anchorsOf(guide, page);
        QStringList problems;
        for (const QString& page : pages) {
            guide.open(page);
            const QString text = readText(Guide + '/' + page);
            if (!text.startsWith("# "))
                problems << page + ": the first line is no title";
            for (const QString& tag : tagsOutsideCode(text))
                problems << page + ": HTML: " + tag;
            for (const QTextCharFormat& format : formatsOf(*browserOf(guide).document())) {
                const QString image = format.toImageFormat().name();
                if (!image.isEmpty() && QImage(Guide + '/' + image).isNull())
                    problems << page + ": no such image: " + image;
                const QUrl target = QUrl::fromLocalFile(Guide + '/' + page).resolved(QUrl(format.anchorHref()));
                const bool isMissing = !anchors.contains(target.fileName())
                    || (target.hasFragment() && !anchors[target.fileName()].contains(target.fragment()));
                if (target.isLocalFile() && isMissing)
                    problems << page + ": no such page or heading: " + format.anchorHref();
            }
        }
        QVERIFY2(problems.isEmpty(), qPrintable('\n' + problems.join('\n')));
    }
};

HELIO_TEST(GuideWindowTest)
#include "tst_guide_window.moc"
