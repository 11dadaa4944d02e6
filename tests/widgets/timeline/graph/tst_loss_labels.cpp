// Labels of lost events above the bars of a CPU.

#include "core/experiment/timeline.h"
#include "tests/support/test_program.h"
#include "widgets/paint/text.h"
#include "widgets/theme/themes.h"
#include "widgets/timeline/graph/graph_scene.h"

#include <QTest>

using namespace helio;

namespace {

constexpr int LabelWidth = 100;

/// Paints the losses of one CPU, 1 ns on a pixel.
QImage painted(const std::vector<LossRange>& losses, const GraphRows& rows)
{
    const Timeline timeline;
    LaneStyles looks(theme());
    const Lanes lanes;
    GraphScene scene;
    scene.theme = &theme();
    scene.fonts = &fonts();
    scene.looks = &looks;
    scene.timeline = &timeline;
    scene.rows = &rows;
    scene.lanes = &lanes;
    scene.size = QSize(LabelWidth + 1000, 100);
    scene.labelWidth = LabelWidth;
    scene.scale = TimeScale({timestamp(0), timestamp(1000)}, 1000);
    scene.losses = losses;
    QImage image(scene.size, QImage::Format_RGB32);
    image.fill(theme().color("surface.timeline"));
    QPainter painter(&image);
    paintTimeArea(painter, scene);
    return image;
}

} // namespace

class LossLabelsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { Themes::instance().setTheme(Theme::Kind::Dark); }

    /// Input: a loss whose label is in the range of another loss. Property: the hatch of the other loss does not cover the label.
    void theHatchOfAnotherLossDoesNotCoverALabel()
    {
        std::vector<GraphRow> all(1);
        all[0].isCpu = true;
        all[0].cpu = 0;
        all[0].trace = 0;
        const GraphRows rows(std::move(all), Density::Normal);
        const LossRange first{{timestamp(0), timestamp(600)}, 4, 0, 0};
        const LossRange second{{timestamp(200), timestamp(1000)}, 526, 0, 0};
        const RowMetrics metrics = rows.metrics(0);
        const int width = int(tabularWidth(fonts().bar(), QStringLiteral("lost 4")));
        const QRect label(LabelWidth + 300 - width / 2 + 4, rows.top(0) + metrics.bandTop + 2, width - 8, metrics.band - 4);
        const QImage alone = painted({first}, rows).copy(label);
        QCOMPARE(painted({first, second}, rows).copy(label), alone);
        QVERIFY(painted({second}, rows).copy(label) != alone);
    }
};

HELIO_TEST(LossLabelsTest)
#include "tst_loss_labels.moc"
