#include "core/compare/tree_difference_svg.h"
#include "tests/support/made_call_tree.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QRegularExpression>
#include <QTest>
#include <QXmlStreamReader>

using namespace helio;

namespace {

constexpr std::uint64_t Ms = 1'000'000;

DifferenceTree changed()
{
    return compareTrees(treeOf({{"main;slow<int>", 1000}, {"main;gone & lost", 400}}, Ms),
                        treeOf({{"main;slow<int>", 4000}, {"main", 3}}, Ms), {WeightBy::Weight, 1, 1});
}

QString svgOf(const DifferenceTree& tree, DifferenceWidths widths = {})
{
    DifferenceSvgOptions options;
    options.picture.title = "A & B";
    options.rootName = "main, per process";
    options.widths = widths;
    std::string text;
    writeDifferenceSvg(tree, options, [&](std::string_view piece) {
        text += piece;
        return true;
    });
    return QString::fromStdString(text);
}

/// Frames of an SVG by function name: their attributes, and the fill colour of their rectangle.
QMap<QString, QMap<QString, QString>> framesOf(const QString& svg)
{
    QMap<QString, QMap<QString, QString>> frames;
    QXmlStreamReader reader(svg);
    QString name;
    while (!reader.atEnd()) {
        if (reader.readNext() != QXmlStreamReader::StartElement)
            continue;
        if (reader.name() == QLatin1String("g")) {
            name = reader.attributes().value("data-n").toString();
            for (const QXmlStreamAttribute& it : reader.attributes())
                frames[name][it.name().toString()] = it.value().toString();
        } else if (reader.name() == QLatin1String("rect") && !name.isEmpty()) {
            frames[name]["fill"] = reader.attributes().value("fill").toString();
        } else if (reader.name() == QLatin1String("title")) {
            frames[name]["title"] = reader.readElementText();
        }
    }
    return reader.hasError() ? QMap<QString, QMap<QString, QString>>() : frames;
}

} // namespace

class TreeDifferenceSvgTest : public QObject {
    Q_OBJECT

private slots:
    void itIsWellFormedAndNamesAreEscaped()
    {
        const auto frames = framesOf(svgOf(changed()));
        QVERIFY(frames.contains("slow<int>"));
        QVERIFY(frames.contains("main, per process"));
    }

    void redIsWhatGrew()
    {
        const auto frames = framesOf(svgOf(changed()));
        QCOMPARE(frames["slow<int>"]["fill"], "rgb(219,84,54)");
        QCOMPARE(frames["main"]["fill"], "rgb(220,222,224)"); // The colour is neutral, because main's own three samples are noise.
        QCOMPARE(frames["slow<int>"]["data-s"], "\u00d74.00  +3.00\u00a0s");
        QVERIFY(frames["slow<int>"]["title"].contains("1.00\u00a0s in A, 4.00\u00a0s in B"));
    }

    void itsColoursAreTheLightThemes()
    {
        QFile file(SOURCE_DIR "/resources/themes/theme-light.json");
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString theme = file.readAll();
        const QString svg = svgOf(changed());
        const QRegularExpression legend("height=\"15\" fill=\"rgb\\((\\d+),(\\d+),(\\d+)\\)\"");
        int step = -4;
        for (const QRegularExpressionMatch& it : legend.globalMatch(svg)) {
            const auto part = [&](int i) { return it.captured(i).toInt(); };
            const QString role =
                QString::asprintf("\"diff.%s%d\": \"#%02X%02X%02X\"", step > 0 ? "+" : "", step, part(1), part(2), part(3));
            QVERIFY2(theme.contains(role), qPrintable(role));
            ++step;
        }
        QCOMPARE(step, 5);
    }

    void whatIsGoneIsAnOutlineWhereItIsKept()
    {
        QVERIFY(!framesOf(svgOf(changed())).contains("gone & lost"));
        const auto frames = framesOf(svgOf(changed(), {DifferenceWidths::Of::B, true}));
        QCOMPARE(frames["gone & lost"]["data-o"], "rgb(21,115,200)");
        QVERIFY(frames["gone & lost"]["data-w"].toDouble() > 0.09);
    }

    void itShowsThatNothingIsThere()
    {
        const auto frames = framesOf(svgOf(compareTrees(treeOf({}), treeOf({}), {WeightBy::Weight, 1, 1})));
        QCOMPARE(frames.size(), 1);
    }
};

HELIO_TEST(TreeDifferenceSvgTest)
#include "tst_tree_difference_svg.moc"
