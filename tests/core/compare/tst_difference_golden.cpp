#include "core/compare/tree_difference_svg.h"
#include "tests/support/made_call_tree.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTest>

#include <cstdio>

using namespace helio;

namespace {

const QString folder = QStringLiteral(SOURCE_DIR "/tests/golden/compare/");
constexpr std::uint64_t Ms = 1'000'000; ///< Weight of a sample: 1 ms in ns.

QByteArray contents(const QString& name)
{
    QFile file(folder + name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

CallTree folded(const QString& name)
{
    std::vector<std::pair<std::string, std::uint32_t>> lines;
    for (const QByteArray& line : contents(name).split('\n'))
        if (const qsizetype space = line.lastIndexOf(' '); space > 0)
            lines.emplace_back(line.left(space).toStdString(), line.mid(space + 1).toUInt());
    return treeOf(lines, Ms);
}

QByteArray functionsOf(const DifferenceTree& tree)
{
    QByteArray text;
    for (const FunctionDifference& it : computeFunctionDifferences(tree)) {
        const double z = it.self.z(tree.scale);
        const DifferenceUnit unit{DifferenceUnit::Kind::Time, {}};
        text += QByteArray::fromStdString(
                    tree.functions[std::size_t(it.function)].name + '\t' + amountText(it.self.scaledA(tree.scale), unit) + '\t'
                    + amountText(it.self.scaledB(tree.scale), unit) + '\t' + differenceText(it.self.difference(tree.scale), unit) + '\t'
                    + ratioText(it.self.scaledA(tree.scale), it.self.scaledB(tree.scale)) + '\t')
            + QByteArray::number(z, 'f', 2) + '\n';
    }
    return text;
}

} // namespace

/// Property: the difference of the two sides in tests/golden/compare equals the stored result. With HELIOGRAPH_UPDATE_GOLDEN set, the
/// test stores its result: check the change before a commit.
class DifferenceGoldenTest : public QObject {
    Q_OBJECT

private slots:
    void whatIsMadeOfTwoSidesIsWhatWasKept_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("both columns") << "difference.folded";
        QTest::newRow("functions") << "functions.tsv";
        QTest::newRow("picture") << "difference.svg";
        QTest::newRow("picture, one of two runs in B, what is gone is kept") << "elided.svg";
    }
    void whatIsMadeOfTwoSidesIsWhatWasKept()
    {
        QFETCH(QString, name);
        const DifferenceScale scale{WeightBy::Weight, 1, name == "elided.svg" ? 0.5 : 1};
        const DifferenceTree tree = compareTrees(folded("a.folded"), folded("b.folded"), scale);
        QByteArray made;
        const TextSink write = [&](std::string_view text) {
            made.append(text.data(), qsizetype(text.size()));
            return true;
        };
        if (name.endsWith(".folded")) {
            DifferenceTree counts = tree;
            counts.scale = {WeightBy::Samples, 1, 1};
            writeDifferentialFolded(counts, write);
        } else if (name.endsWith(".svg")) {
            DifferenceSvgOptions options;
            options.picture.title = "Golden";
            options.rootName = "server, per process";
            options.widths.keepsElided = name == "elided.svg";
            writeDifferenceSvg(tree, options, write);
            // The script of the SVG is neither stored nor compared.
            made = made.left(made.indexOf("<script>"));
        } else {
            made = functionsOf(tree);
        }
        if (qEnvironmentVariableIsSet("HELIOGRAPH_UPDATE_GOLDEN")) {
            QFile file(folder + name);
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write(made) == made.size());
            return;
        }
        QCOMPARE(made, contents(name));
    }
};

HELIO_TEST(DifferenceGoldenTest)
#include "tst_difference_golden.moc"
