#include "widgets/sampling/flame_surroundings.h"

#include "core/query/samples/amount_text.h"
#include "widgets/flame/frame_text.h"
#include "widgets/sampling/sample_model.h"
#include "widgets/shell/field_grid.h"
#include "widgets/shell/menus.h"
#include "widgets/theme/themes.h"
#include "widgets/time/time_format.h"
#include "widgets/work/discard.h"

#include <QSaveFile>

namespace helio {

namespace {

constexpr auto Separator = u"  \u203a  ";
constexpr int NameWidth = 160;

} // namespace

CrumbTrail::CrumbTrail(FlameView& graph, QWidget* parent)
    : QLabel(parent)
    , m_graph(graph)
    , m_rootName(tr("all"))
{
    setTextFormat(Qt::RichText);
    setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    setAccessibleName(tr("Zoomed to"));
    connect(this, &QLabel::linkActivated, this, [this](const QString& link) {
        if (!m_graph.parts().empty())
            m_graph.zoomTo(m_graph.parts().size() - 1, link.toUInt());
    });
}

void CrumbTrail::refresh()
{
    setFont(fonts().detail());
    QPalette look = palette();
    look.setColor(QPalette::WindowText, theme().color("text.secondary"));
    look.setColor(QPalette::Text, theme().color("text.secondary"));
    setPalette(look);
    if (m_graph.parts().empty() || m_graph.zoom() == 0)
        return clear();
    const CallTree& tree = *m_graph.parts().back().tree;
    QStringList links;
    for (std::uint32_t node = m_graph.zoom();; node = tree.nodes[node].parent) {
        const QString name = node == 0 ? m_rootName : elidedFrame(fonts().detail(), frameLabel(tree.functionOf(node)), NameWidth);
        links.prepend(node == m_graph.zoom() ? name.toHtmlEscaped() : linkText(QString::number(node), name));
        if (node == 0)
            break;
    }
    if (links.size() > 6) // The way in and the last steps.
        links = links.mid(0, 2) + QStringList{QStringLiteral("\u2026")} + links.mid(links.size() - 3);
    setText(links.join(Separator));
}

void replaceContent(FlameView& graph, FlameContent content, const std::function<FlamePath(const FlamePath&)>& renamed)
{
    FlameContent old = graph.content();
    graph.setContent(std::move(content), renamed);
    std::size_t parts = 0;
    for (const auto* tree : {&old.tree, &old.callers})
        parts += *tree ? (*tree)->nodes.size() : 0;
    discard(std::move(old), parts); // The last statement: whoever holds it longest frees it.
}

void showFrameTip(StateTip& tip, const TipContent& content, const FlameView& graph, const FlamePlace& place, QPoint position)
{
    tip.setContent(content);
    QWidget* window = graph.window();
    const QPoint top = graph.viewport()->mapTo(window, QPoint(0, 0));
    const QPoint pointer = top + position;
    const QRectF frame = graph.rectOf(place);
    const bool isSeen = !frame.isEmpty();
    const int y = top.y() + int(frame.top());
    tip.place(window, pointer, isSeen ? y : pointer.y() - FlameRowHeight, isSeen ? y + FlameRowHeight : pointer.y() + FlameRowHeight);
    tip.show();
}

TipContent narrowFramesTip(std::uint32_t count)
{
    TipContent tip;
    tip.look.height = 16;
    tip.look.color = theme().color("line.strong");
    tip.title = CrumbTrail::tr("%1 frames, too narrow to show").arg(count);
    tip.place = CrumbTrail::tr("Click to see them wider");
    return tip;
}

std::function<bool(const SampledFunction&)> functionsLike(const QString& text)
{
    return [text](const SampledFunction& function) {
        return function.code != CodeKind::Thread && frameLabel(function).contains(text, Qt::CaseInsensitive);
    };
}

void addSampleChoices(QMenu* menu, SampleModel& samples)
{
    addChoice(menu, CrumbTrail::tr("Inlined functions as frames of their own"), samples.expandsInlined(),
              [&samples] { samples.setExpandsInlined(!samples.expandsInlined()); });
    addChoice(menu, CrumbTrail::tr("Mark the chosen function on the rows of the timelines"), samples.marksFunction(),
              [&samples] { samples.setMarksFunction(!samples.marksFunction()); });
}

QString amountText(const SampleSum& sum, WeightBy by, const SampleKind& kind)
{
    if (by == WeightBy::Samples)
        return sum.samples == 1 ? CrumbTrail::tr("1 sample") : CrumbTrail::tr("%1 samples").arg(countText(qint64(sum.samples)));
    if (kind.unit == "ns")
        return durationText(Duration(qint64(sum.weight)));
    return QStringLiteral("%1 %2").arg(countText(qint64(sum.weight)), QString::fromStdString(weightWord(kind)));
}

QString headingText(const SampleSum& sum, WeightBy by, const SampleKind& kind)
{
    const QString samples = amountText(sum, WeightBy::Samples, kind);
    return by == WeightBy::Samples ? samples : CrumbTrail::tr("%1 in %2").arg(QString::fromStdString(amountWords(sum, by, kind)), samples);
}

QString workText(const QString& work, double share)
{
    return work.isEmpty() || share < 0 ? work : CrumbTrail::tr("%1, %2 %").arg(work).arg(int(share * 100));
}

bool saveText(const QString& path, const std::function<void(const TextSink& sink)>& write, std::stop_token stop)
{
    QSaveFile file(path);
    bool isWhole = file.open(QIODevice::WriteOnly);
    if (isWhole)
        write([&](std::string_view text) {
            isWhole = file.write(text.data(), qint64(text.size())) == qint64(text.size());
            return isWhole && !stop.stop_requested();
        });
    return isWhole && !stop.stop_requested() && file.commit();
}

} // namespace helio
