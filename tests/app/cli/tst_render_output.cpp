#include "tests/app/cli/program.h"
#include "tests/support/perf_builder.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QImage>
#include <QImageReader>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

using namespace helio;

namespace {

int colours(const QImage& image)
{
    QSet<QRgb> all;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            all << image.pixel(x, y);
    return int(all.size());
}

/// Matches position, width and base64 PNG of the first image in an SVG.
QRegularExpression firstImage()
{
    return QRegularExpression("<image x=\"(\\d+)\" y=\"0\" width=\"(\\d+)\".*?base64,([^\"]*)\"",
                              QRegularExpression::DotMatchesEverythingOption);
}

} // namespace

class RenderOutputTest : public QObject {
    Q_OBJECT

private slots:
    void aViewIsDrawnWithoutADisplay_data()
    {
        QTest::addColumn<QString>("view");
        QTest::addColumn<QString>("theme");
        for (const char* view : {"control-flow", "resources"})
            for (const char* theme : {"dark", "light"})
                QTest::addRow("%s %s", view, theme) << view << theme;
    }
    void aViewIsDrawnWithoutADisplay()
    {
        QFETCH(QString, view);
        QFETCH(QString, theme);
        const QString path = m_folder.filePath(view + theme + ".png");

        const ProgramResult answer =
            heliograph({"render", sampleTrace(), "--view", view, "-o", path, "--size", "800x400", "--theme", theme, "--scale", "2"});

        QCOMPARE(answer.status, 0);
        QVERIFY2(answer.err.isEmpty(), answer.err.constData());
        const QImage image(path);
        QCOMPARE(image.size(), QSize(1600, 800));
        QVERIFY(colours(image) > 20);
        QCOMPARE(qGray(image.pixel(1599, 799)) < 128, theme == "dark");
    }

    void aViewIsDrawnAsSvg()
    {
        const QString path = m_folder.filePath("view.svg");

        QCOMPARE(heliograph({"render", sampleTrace(), "--view", "control-flow", "-o", path, "--row", "worker-?"}).status, 0);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        QVERIFY(text.contains("<svg") && text.contains("worker-0"));
        QVERIFY(!text.contains("lttng-sessiond"));
    }

    /// Property: the rows of an SVG are one image, which begins right of the labels and is as wide as the time area.
    void barsOfAnSvgStandAtTheirTimes_data()
    {
        QTest::addColumn<QString>("scale");
        for (const char* scale : {"1", "2", "1.25"})
            QTest::newRow(scale) << scale;
    }
    void barsOfAnSvgStandAtTheirTimes()
    {
        QFETCH(QString, scale);
        const QString svg = m_folder.filePath("bars.svg"), png = m_folder.filePath("bars.png");
        for (const QString& path : {svg, png})
            QCOMPARE(heliograph({"render", sampleTrace(), "--view", "resources", "-o", path, "--size", "800x200", "--scale", scale}).status,
                     0);
        QFile file(svg);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto found = firstImage().match(QString::fromUtf8(file.readAll()));
        QVERIFY(found.hasMatch());
        const int left = found.captured(1).toInt(), width = found.captured(2).toInt();
        const QImage bars = QImage::fromData(QByteArray::fromBase64(found.captured(3).toLatin1())), all(png);
        const double ratio = scale.toDouble();
        QCOMPARE(left + width, 800);
        QCOMPARE(bars.width(), qRound(width * ratio));

        // Number of pixels that are equal in both pictures. Other pixels may differ, because `all` has lines, texts and arrows above the
        // bars.
        int same = 0;
        const int top = all.height() - bars.height(), from = all.width() - bars.width();
        for (int y = 0; y < bars.height(); ++y)
            for (int x = 0; x < bars.width(); ++x)
                same += bars.pixel(x, y) == all.pixel(from + x, top + y);
        QVERIFY2(same > bars.width() * bars.height() * 0.9, qPrintable(QString::number(same)));
    }

    void aPictureIsAsHighAsItsRows()
    {
        const auto heightOf = [&](const QStringList& options) {
            const QString path = m_folder.filePath("rows.png");
            heliograph(QStringList{"render", sampleTrace(), "--view", "control-flow", "-o", path} + options);
            return QImage(path).height();
        };
        const int one = heightOf({"--row", "worker-0"});
        const int three = heightOf({"--row", "worker-[0-2]"});
        QVERIFY(one > 20);
        QVERIFY2(three > one && three - one <= 2 * 40, qPrintable(QStringLiteral("%1 %2").arg(one).arg(three)));
        QCOMPARE(heightOf({"--row", "worker-0", "--size", "600x333"}), 333); // A height in --size has priority over the rows' height.
    }

    void theScaleIsLoweredUntilAllRowsFit()
    {
        const QString path = m_folder.filePath("scaled.png");
        const QStringList command{"render", sampleTrace(), "--view", "control-flow", "-o", path, "--row", "*"};
        QCOMPARE(heliograph(command).status, 0);
        const QSize natural = QImage(path).size();
        QVERIFY(8 * natural.height() > 16000);

        const ProgramResult answer = heliograph(command + QStringList{"--scale", "8"});

        QCOMPARE(answer.status, 0);
        QVERIFY2(answer.err.contains("--scale: reduced to "), answer.err.constData());
        const QSize image = QImageReader(path).size(); // QImage cannot load such a large image.
        QVERIFY(image.height() <= 16000 && image.height() > 15000);
        QVERIFY(std::abs(double(image.width()) / image.height() - double(natural.width()) / natural.height())
                < 0.01); // The picture has the same proportions as at scale 1, so no row is missing.
    }

    void rowsBelowAClosedOneAreShownWhereTheyAreAskedFor()
    {
        const auto heightOf = [&](const char* pattern) {
            const QString path = m_folder.filePath("interrupts.png");
            heliograph({"render", sampleTrace(), "--view", "resources", "--row", pattern, "-o", path});
            return QImage(path).height();
        };
        const int one = heightOf("cpu:0/irq:25");
        QVERIFY(one > 20);
        QVERIFY(heightOf("cpu:0/irq:*") > one); // Rows of interrupts are selected although they begin collapsed below CPU 0.
    }

    void flameGraphsAreDrawnWithoutADisplay_data()
    {
        QTest::addColumn<QString>("view");
        QTest::newRow("one") << "flame";
        QTest::newRow("of two") << "difference";
    }
    void flameGraphsAreDrawnWithoutADisplay()
    {
        QFETCH(QString, view);
        HELIO_REQUIRE_TRACE(recordings, "solo-vs-parallel-perf");
        const QString solo = recordings + "/data/solo.data";
        const QString parallel = recordings + "/data/parallel4.data";
        const QStringList traces = view == "flame" ? QStringList{solo} : QStringList{"--a", solo, "--b", parallel};
        const QStringList begin = QStringList{"render"} + traces + QStringList{"--view", view, "--symbols", recordings + "/bin", "-o"};
        const QString picture = m_folder.filePath(view + ".png");
        const ProgramResult answer = heliograph(begin + QStringList{picture, "--size", "900x400", "--theme", "light", "--scale", "2"});
        QCOMPARE(answer.status, 0);
        QVERIFY2(answer.err.isEmpty(), answer.err.constData());
        const QImage image(picture);
        QCOMPARE(image.width(), 1800);
        QVERIFY(image.height() > 300 && colours(image) > 20);
        const QString drawing = m_folder.filePath(view + ".svg");
        QCOMPARE(heliograph(begin + QStringList{drawing}).status, 0);
        QFile file(drawing);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readAll().contains("initprm_"));
    }

    void aComparisonWithoutASideIsWrongUsage()
    {
        const ProgramResult answer = heliograph({"render", sampleTrace(), "--view", "difference", "-o", m_folder.filePath("x.png")});
        QCOMPARE(answer.status, 2);
        QVERIFY2(answer.err.contains("--b"), answer.err);
    }

    void aRecordingWithoutEventsIsNoQuestionOfTheRange()
    {
        MadePerfData made;
        made.addAttribute({});
        QFile file(m_folder.filePath("perf.data"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(made.file());
        file.close();
        const ProgramResult answer = heliograph({"render", file.fileName(), "--view", "resources", "-o", m_folder.filePath("x.png")});
        QCOMPARE(answer.status, 1);
        QVERIFY2(answer.err.contains("contains no events") && !answer.err.contains("--begin"), answer.err);
    }

    void whatCannotBeWrittenIsSaid()
    {
        const ProgramResult nowhere = heliograph({"render", sampleTrace(), "--view", "resources", "-o", "/nowhere/at/all.png"});
        const ProgramResult unknown = heliograph({"render", sampleTrace(), "--view", "resources", "-o", m_folder.filePath("view.gif")});
        const ProgramResult empty =
            heliograph({"render", sampleTrace(), "--view", "resources", "-o", m_folder.filePath("view.png"), "--begin", "5", "--end", "6"});

        QCOMPARE(nowhere.status, 1);
        QVERIFY2(nowhere.err.startsWith("heliograph: /nowhere/at/all.png: "), nowhere.err.constData());
        QCOMPARE(unknown.status, 2);
        QCOMPARE(empty.status, 2);
    }

private:
    QTemporaryDir m_folder;
};

HELIO_TEST(RenderOutputTest)
#include "tst_render_output.moc"
