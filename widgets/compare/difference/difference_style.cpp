#include "widgets/compare/difference/difference_style.h"

#include "widgets/flame/view/frame_text.h"

#include <cmath>

namespace helio {

namespace {

/// Returns what an amount is divided by or what it is a share of, e.g. "per process". Empty if amounts are not divided, because one thread
/// or all samples are compared.
QString perText(const DifferenceResult& shown)
{
    using Per = DifferenceSettings::Per;
    switch (shown.choices.basis.per) {
    case Per::Share: return DifferenceModel::tr("share of all");
    case Per::Samples: return DifferenceModel::tr("samples");
    case Per::Unit: return DifferenceModel::tr("per unit of work");
    case Per::Run: break;
    }
    if (shown.choices.isOfAll || shown.sides[0].isThread)
        return {};
    return shown.isOfThreadsTime() ? DifferenceModel::tr("CPU time of all threads per process") : DifferenceModel::tr("per process");
}

QString nameOfRoot(const DifferenceResult& shown)
{
    const QString per = perText(shown);
    const QString name = shown.name().isEmpty() ? DifferenceModel::tr("all") : shown.name();
    return per.isEmpty() ? name : QStringLiteral("%1, %2").arg(name, per);
}

} // namespace

DifferenceStyle::DifferenceStyle(const DifferenceResult& shown, const DifferenceGraphOptions& look)
    : m_tree(shown.graph)
    , m_unit(shown.unit)
    , m_look(look)
    , m_ofTotals(look.ofTotals || shown.choices.isInverted)
    , m_steps(look.byRatio ? DifferenceSteps::ratios() : DifferenceSteps::upTo(findLargestDifference(*shown.graph, m_ofTotals)))
    , m_rootName(nameOfRoot(shown))
{
    m_stepOf.reserve(m_tree->nodes.size());
    for (std::size_t i = 0; i < m_tree->nodes.size(); ++i) {
        const DifferenceNode& node = m_tree->nodes[i];
        // An outlined frame only exists on one side, so it gets an extreme step regardless of its weight: -4 if only A has it, 4 if only B
        // has it.
        const bool isOutlined = isOnHiddenSide(node, look.widths);
        const int step = isOutlined ? (look.widths.of == DifferenceWidths::Of::A ? 4 : -4)
                                    : m_steps.stepOf(m_ofTotals ? node.total : node.self, m_tree->scale);
        m_stepOf.push_back(static_cast<std::int8_t>(step));
    }
}

QString DifferenceStyle::roleName(int step)
{
    return QStringLiteral("diff.%1%2").arg(step > 0 ? QStringLiteral("+") : QString()).arg(step);
}

const std::vector<QString>& DifferenceStyle::roles() const
{
    static const std::vector<QString> all = [] {
        std::vector<QString> names;
        for (int step = -4; step <= 4; ++step)
            names.push_back(roleName(step));
        return names;
    }();
    return all;
}

bool DifferenceStyle::isOutlined(std::uint32_t node) const { return isOnHiddenSide(m_tree->nodes[node], m_look.widths); }

FrameStyle::FrameTexts DifferenceStyle::frameTexts(std::uint32_t node) const
{
    const ComparedSum& sum = m_tree->nodes[node].total;
    if (std::abs(sum.z(m_tree->scale)) < NoiseZ)
        return {{}, DifferenceModel::tr("within noise")};
    return {QString::fromStdString(ratioText(sum.scaledA(m_tree->scale), sum.scaledB(m_tree->scale))),
            QString::fromStdString(differenceText(sum.difference(m_tree->scale), m_unit))};
}

QString DifferenceStyle::description(std::uint32_t node) const
{
    const ComparedSum& sum = m_tree->nodes[node].total;
    const auto text = [&](double amount) { return QString::fromStdString(amountText(amount, m_unit)); };
    return DifferenceModel::tr("%1: %2 in A, %3 in B, %4, %5; depth %6")
        .arg(node == 0 ? m_rootName : frameLabel(m_tree->functionOf(node)), text(sum.scaledA(m_tree->scale)),
             text(sum.scaledB(m_tree->scale)), QString::fromStdString(differenceText(sum.difference(m_tree->scale), m_unit)),
             QString::fromStdString(certaintyText(sum.z(m_tree->scale))))
        .arg(m_tree->nodes[node].depth);
}

} // namespace helio
