#include "app/gui/common/guide_window.h"
#include "tests/support/files.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QLineEdit>
#include <QListWidget>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>
#include <QUrl>

using namespace helio;

namespace {

const QString Guide = QStringLiteral(SOURCE_DIR "/resources/guide");

} // namespace

class GuideWindowTest : public QObject {
    Q_OBJECT

private slots:
    void itOpensOnTheFirstPageAndListsAll()
    {
        GuideWindow guide(Guide);
        QCOMPARE(guide.page(), QString("guide.html"));
        QCOMPARE(guide.pages().size(), QDir(Guide).entryList({"*.html"}).size());
        QVERIFY(guide.findChild<QTextBrowser*>()->toPlainText().contains("Open a trace"));
    }

    void everyLinkOfEveryPageLeadsToAPageOfTheGuide()
    {
        GuideWindow guide(Guide);
        auto* browser = guide.findChild<QTextBrowser*>();
        int links = 0;
        for (const QString& page : guide.pages()) {
            QFile file(Guide + '/' + page);
            QVERIFY(file.open(QIODevice::ReadOnly));
            static const QRegularExpression link("href=\"([^\"]*)\"");
            for (const auto& match : link.globalMatch(QString::fromUtf8(file.readAll()))) {
                guide.open(page);
                emit browser->anchorClicked(QUrl(match.captured(1)));
                QCOMPARE(guide.page(), match.captured(1).section('#', 0, 0));
                ++links;
            }
        }
        QVERIFY(links > 5);
    }

    void everyPictureIsLoaded()
    {
        GuideWindow guide(Guide);
        auto* browser = guide.findChild<QTextBrowser*>();
        int pictures = 0;
        for (const QString& page : guide.pages()) {
            guide.open(page);
            QFile file(Guide + '/' + page);
            QVERIFY(file.open(QIODevice::ReadOnly));
            static const QRegularExpression image("<img[^>]*src=\"([^\"]*)\"");
            for (const auto& match : image.globalMatch(QString::fromUtf8(file.readAll()))) {
                QVERIFY2(!browser->loadResource(QTextDocument::ImageResource, QUrl(match.captured(1))).value<QPixmap>().isNull(),
                         qPrintable(page + ": " + match.captured(1)));
                ++pictures;
            }
        }
        QVERIFY(pictures > 5);
    }

    void theSearchFindsTextInAnyPageAndSelectsIt()
    {
        GuideWindow guide(Guide);
        auto* field = guide.findChild<QLineEdit*>();
        field->setText("FUTEX");
        QVERIFY(guide.hits().size() > 1);
        for (std::size_t i = 0; i < guide.hits().size(); ++i) {
            guide.openHit(i);
            QCOMPARE(guide.page(), guide.hits()[i].page);
            QCOMPARE(guide.selectedText().toLower(), QString("futex"));
        }
        field->setText("no such words anywhere");
        QVERIFY(guide.hits().empty());
        field->clear();
        QCOMPARE(guide.findChild<QListWidget*>()->count(), int(guide.pages().size()));
    }

    void theContentsMarkThePageThatIsShown()
    {
        GuideWindow guide(Guide);
        auto* list = guide.findChild<QListWidget*>();
        QCOMPARE(list->currentRow(), 0);
        const QString other = guide.pages().last();
        emit guide.findChild<QTextBrowser*>()->anchorClicked(QUrl(other));
        QCOMPARE(guide.page(), other);
        QCOMPARE(list->currentRow(), int(guide.pages().size()) - 1);
        guide.findChild<QTextBrowser*>()->backward();
        QCOMPARE(list->currentRow(), 0);
        guide.findChild<QLineEdit*>()->setText("futex");
        guide.findChild<QLineEdit*>()->clear();
        QCOMPARE(list->currentRow(), 0);
    }

    void noPageIsWiderThanTheWindow()
    {
        GuideWindow guide(Guide);
        guide.show();
        auto* browser = guide.findChild<QTextBrowser*>();
        for (const QString& page : guide.pages()) {
            guide.open(page);
            QCoreApplication::processEvents();
            QVERIFY2(browser->horizontalScrollBar()->maximum() < 18, qPrintable(page)); // No more than the margin.
            QVERIFY(!browser->horizontalScrollBar()->isVisible());
        }
    }

    void returnInTheSearchGoesFromHitToHit()
    {
        QTemporaryDir folder;
        for (const char* page : {"guide.html", "more.html"})
            test::writeFile(folder.filePath(page),
                            QByteArray("<title>Heliograph: ") + page + "</title><style>p { color: red }</style><p>one wait, two waits</p>");
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
        QCOMPARE(pages, (QStringList{"guide.html", "guide.html", "more.html", "more.html"}));
        QVERIFY(guide.isVisible()); // Return is the field's, not the dialog's.
    }
};

HELIO_TEST(GuideWindowTest)
#include "tst_guide_window.moc"
