// Fading of rows while parts of them are highlighted, tested by pixels.

#include "tests/support/test_program.h"
#include "widgets/theme/themes.h"
#include "widgets/timeline/graph/row_shade.h"

#include <QImage>
#include <QPainter>
#include <QTest>

using namespace helio;

namespace {

constexpr TrackRef Lit{StoreIndex{0}, TrackId(1)};
constexpr TrackRef Unlit{StoreIndex{0}, TrackId(2)};
constexpr TrackRef Elsewhere{StoreIndex{7}, TrackId(1)};

GraphRows rowsOf(std::initializer_list<TrackRef> refs)
{
    std::vector<GraphRow> rows(refs.size());
    std::size_t i = 0;
    for (const TrackRef ref : refs)
        rows[i++].ref = ref;
    return {std::move(rows), Density::Normal};
}

/// A panel of 1000 ns on 1000 pixels, right of 100 pixels of labels.
class Painted {
public:
    Painted(GraphRows rows, const HighlightMask* light, TimeRange selection = {}, const FindingMarks* finding = nullptr)
        : m_rows(std::move(rows))
        , m_image(1100, 200, QImage::Format_ARGB32_Premultiplied)
    {
        m_scene.theme = &theme();
        m_scene.rows = &m_rows;
        m_scene.size = m_image.size();
        m_scene.labelWidth = 100;
        m_scene.scale = TimeScale({timestamp(0), timestamp(1000)}, 1000);
        m_scene.light = light;
        m_scene.selection = selection;
        m_scene.finding = finding;
        m_image.fill(Qt::transparent);
        QPainter painter(&m_image);
        RowShade(m_scene).paint(painter);
    }

    bool isShaded(int row, int ns) const { return m_image.pixelColor(100 + ns, m_scene.rowTop(row) + 4).alpha() > 0; }
    /// True if the area below all rows is faded at a time.
    bool isShadedBelow(int ns) const { return m_image.pixelColor(100 + ns, 195).alpha() > 0; }

private:
    GraphRows m_rows;
    GraphScene m_scene;
    QImage m_image;
};

HighlightMask light()
{
    HighlightMask it;
    it.rows[Lit] = {{timestamp(100), timestamp(200)}, {timestamp(500), timestamp(501)}};
    return it;
}

} // namespace

class RowShadeTest : public QObject {
    Q_OBJECT

private slots:
    void onlyWhatIsLitIsNotFaded()
    {
        const HighlightMask it = light();
        const Painted painted(rowsOf({Lit, Unlit}), &it);
        for (const auto& [ns, isShaded] :
             {std::pair{99, true}, {100, false}, {199, false}, {200, true}, {499, true}, {500, false}, {502, true}})
            QVERIFY2(painted.isShaded(0, ns) == isShaded, qPrintable(QString::number(ns)));
        QVERIFY(painted.isShaded(1, 150) && painted.isShaded(1, 999));
        QVERIFY(!painted.isShadedBelow(150));
    }

    void aSelectedRangeFadesWhatIsOutsideOfIt()
    {
        const HighlightMask it = light();
        const Painted painted(rowsOf({Lit, Unlit}), &it, {timestamp(150), timestamp(600)});
        QVERIFY(painted.isShaded(0, 120) && !painted.isShaded(0, 160) && painted.isShaded(0, 300) && !painted.isShaded(0, 500));
        QVERIFY(painted.isShadedBelow(100) && !painted.isShadedBelow(300));
    }

    /// Property: if a panel has rows of the host with the highlighted intervals, its rows of other hosts are faded, too. Without such rows,
    /// or if nothing is highlighted, no row is faded.
    void otherPanelsAreNotFaded()
    {
        const HighlightMask it = light();
        const Painted mixed(rowsOf({Elsewhere, Unlit}), &it);
        QVERIFY(mixed.isShaded(0, 150) && mixed.isShaded(0, 900) && mixed.isShaded(1, 900));
        QVERIFY(!Painted(rowsOf({Elsewhere}), &it).isShaded(0, 900));
        const Painted without(rowsOf({Lit, Unlit}), nullptr, {timestamp(150), timestamp(600)});
        QVERIFY(without.isShaded(0, 100) && !without.isShaded(0, 300) && !without.isShaded(1, 300) && without.isShaded(1, 700));
    }

    /// Property: rows that a finding is not about are faded completely, but only in panels with rows that it is about.
    void rowsOffTheFindingAreFaded()
    {
        FindingMarks finding;
        finding.rows.insert(Lit);
        const TimeRange selection{timestamp(150), timestamp(600)};
        const Painted painted(rowsOf({Lit, Unlit}), nullptr, selection, &finding);
        QVERIFY(painted.isShaded(0, 100) && !painted.isShaded(0, 300) && painted.isShaded(1, 300));
        const Painted other(rowsOf({Unlit, Elsewhere}), nullptr, selection, &finding);
        QVERIFY(!other.isShaded(0, 300) && !other.isShaded(1, 300));
        const HighlightMask it = light();
        const Painted both(rowsOf({Lit, Unlit}), &it, {}, &finding);
        QVERIFY(!both.isShaded(0, 150) && both.isShaded(0, 300) && both.isShaded(1, 150));
    }
};

HELIO_TEST(RowShadeTest)

#include "tst_row_shade.moc"
