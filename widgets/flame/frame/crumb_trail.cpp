#include "widgets/flame/frame/crumb_trail.h"

#include "widgets/controls/field_grid.h"
#include "widgets/flame/view/frame_text.h"
#include "widgets/theme/themes.h"

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
    if (links.size() > 6) // Long paths show their first two and last three frames.
        links = links.mid(0, 2) + QStringList{QStringLiteral("\u2026")} + links.mid(links.size() - 3);
    setText(links.join(Separator));
}

} // namespace helio
