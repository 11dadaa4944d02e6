#include "widgets/compare/functions/difference_functions.h"

#include "core/profiling/samples/amount_text.h"
#include "widgets/theme/themes.h"

#include <algorithm>
#include <cmath>

namespace helio {

namespace {

QString quoted(const std::string& text)
{
    QString value = QString::fromStdString(text);
    if (!value.contains(u',') && !value.contains(u'"') && !value.contains(u'\n'))
        return value;
    return u'"' + value.replace(u'"', QStringLiteral("\"\"")) + u'"';
}

} // namespace

void DifferenceFunctions::setDifference(const DifferenceResult& shown)
{
    beginResetModel();
    m_tree = shown.functions ? shown.tree : nullptr;
    m_functions = shown.functions;
    m_unit = shown.unit;
    arrange();
    endResetModel();
}

void DifferenceFunctions::setTotals(bool areTotals)
{
    beginResetModel();
    m_areTotals = areTotals;
    arrange();
    endResetModel();
}

void DifferenceFunctions::setFilter(const QString& text)
{
    beginResetModel();
    m_filter = text;
    arrange();
    endResetModel();
}

void DifferenceFunctions::sort(int column, Qt::SortOrder order)
{
    beginResetModel();
    m_column = Column(std::clamp(column, 0, ColumnCount - 1));
    m_isDescending = order == Qt::DescendingOrder;
    arrange();
    endResetModel();
}

double DifferenceFunctions::keyOf(const FunctionDifference& it) const
{
    const ComparedSum& sum = sumOf(it);
    const double a = sum.scaledA(m_tree->scale);
    const double b = sum.scaledB(m_tree->scale);
    switch (m_column) {
    case A: return a;
    case B: return b;
    case Difference: return m_isDescending ? std::abs(b - a) : b - a;
    case Ratio: return a > 0 ? b / a : b > 0 ? INFINITY : 0;
    case Z: return m_isDescending ? std::abs(sum.z(m_tree->scale)) : sum.z(m_tree->scale);
    default: return 0;
    }
}

void DifferenceFunctions::arrange()
{
    m_rows.clear();
    m_largest = 0;
    if (!m_tree)
        return;
    double mostChange = 0;
    std::vector<std::pair<double, std::uint32_t>> keyed;
    for (std::uint32_t i = 0; i < m_functions->size(); ++i) {
        const FunctionDifference& it = (*m_functions)[i];
        const SampledFunction& function = m_tree->functions[static_cast<std::size_t>(it.function)];
        const ComparedSum& sum = sumOf(it);
        m_largest = std::max({m_largest, sum.scaledA(m_tree->scale), sum.scaledB(m_tree->scale)});
        if (std::abs(sum.z(m_tree->scale)) >= NoiseZ)
            mostChange = std::max(mostChange, std::abs(sum.difference(m_tree->scale)));
        const bool isThere = !isNothing(sum.a) || !isNothing(sum.b);
        const bool passes = m_filter.isEmpty() || QString::fromStdString(function.label()).contains(m_filter, Qt::CaseInsensitive)
            || QString::fromStdString(function.module).contains(m_filter, Qt::CaseInsensitive);
        if (isThere && passes && function.code != CodeKind::Thread)
            keyed.emplace_back(keyOf(it), i);
    }
    m_steps = DifferenceSteps::upTo(mostChange);
    const auto nameOf = [this](const auto& it) {
        return m_tree->functions[static_cast<std::size_t>((*m_functions)[it.second].function)].label();
    };
    std::ranges::stable_sort(keyed, [&](const auto& l, const auto& r) {
        if (m_column == Function)
            return m_isDescending ? nameOf(r) < nameOf(l) : nameOf(l) < nameOf(r);
        return m_isDescending ? l.first > r.first : l.first < r.first;
    });
    for (const auto& [key, index] : keyed)
        m_rows.push_back(index);
}

const SampledFunction& DifferenceFunctions::functionOf(int row) const
{
    return m_tree->functions[static_cast<std::size_t>((*m_functions)[m_rows[std::size_t(row)]].function)];
}

const ComparedSum& DifferenceFunctions::sumOf(int row) const { return sumOf((*m_functions)[m_rows[std::size_t(row)]]); }

int DifferenceFunctions::find(const SampledFunction& function) const
{
    for (int row = 0; row < int(m_rows.size()); ++row)
        if (identityOf(functionOf(row)) == identityOf(function))
            return row;
    return -1;
}

QString DifferenceFunctions::csv() const
{
    QString text = QStringLiteral("function,module,a,b,difference,ratio,z,samples_a,samples_b\n");
    for (int row = 0; row < int(m_rows.size()); ++row) {
        const ComparedSum& sum = sumOf(row);
        const double a = sum.scaledA(m_tree->scale);
        const double b = sum.scaledB(m_tree->scale);
        const QString ratio = a > 0 ? QString::number(b / a, 'g', 6) : QString();
        text += QStringLiteral("%1,%2,").arg(quoted(functionOf(row).label()), quoted(functionOf(row).module))
            + QStringList{QString::number(a, 'g', 12),
                          QString::number(b, 'g', 12),
                          QString::number(b - a, 'g', 12),
                          ratio,
                          QString::number(sum.z(m_tree->scale), 'f', 2),
                          QString::fromStdString(exactCount(sum.a.samples, m_tree->scale.divisorA)),
                          QString::fromStdString(exactCount(sum.b.samples, m_tree->scale.divisorB))}
                  .join(u',')
            + u'\n';
    }
    return text;
}

int DifferenceFunctions::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(m_rows.size()); }
int DifferenceFunctions::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(ColumnCount); }

QString DifferenceFunctions::textOf(const ComparedSum& sum, const SampledFunction& function, int column) const
{
    const double a = sum.scaledA(m_tree->scale);
    const double b = sum.scaledB(m_tree->scale);
    const double z = sum.z(m_tree->scale);
    switch (column) {
    case Function: return QString::fromStdString(function.label());
    case A: return QString::fromStdString(amountText(a, m_unit, m_largest));
    case B: return QString::fromStdString(amountText(b, m_unit, m_largest));
    case Difference: return QString::fromStdString(differenceText(b - a, m_unit, m_largest));
    case Ratio: return QString::fromStdString(ratioText(a, b));
    case Z: return QString::number(z, 'f', std::abs(z) < 9.95 ? 1 : 0).replace(u'-', u'\u2212');
    default: return {};
    }
}

QVariant DifferenceFunctions::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const ComparedSum& sum = sumOf(index.row());
    const SampledFunction& function = functionOf(index.row());
    const bool isNoise = std::abs(sum.z(m_tree->scale)) < NoiseZ;
    switch (role) {
    case Qt::DisplayRole: return textOf(sum, function, index.column());
    case Qt::TextAlignmentRole: return int(Qt::AlignVCenter | (index.column() == Function ? Qt::AlignLeft : Qt::AlignRight));
    case Qt::ForegroundRole:
        if (index.column() >= Difference && isNoise)
            return theme().color("text.hint");
        return theme().color(index.column() == Function || index.column() == Difference ? "text.primary" : "text.secondary");
    case Qt::FontRole: return fonts().at(11.5, index.column() == Difference && !isNoise ? 600 : 400);
    case Qt::ToolTipRole: {
        const QString what = QString::fromStdString(function.problem.empty() ? function.label() : function.problem);
        return QStringLiteral("%1\n%2: %3")
            .arg(what, textOf(sum, function, Difference), QString::fromStdString(certaintyText(sum.z(m_tree->scale))));
    }
    case StepRole: return m_steps.stepOf(sum, m_tree->scale);
    case ModuleRole: return QString::fromStdString(function.module);
    default: return {};
    }
}

QVariant DifferenceFunctions::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    static const char* const names[] = {QT_TR_NOOP("Function"),   QT_TR_NOOP("A"),     QT_TR_NOOP("B"),
                                        QT_TR_NOOP("B \u2212 A"), QT_TR_NOOP("ratio"), QT_TR_NOOP("z")};
    static const char* const tips[] = {
        "",
        "",
        "",
        QT_TR_NOOP("The largest change first, whatever its sign; again: what shrank most"),
        QT_TR_NOOP("B by A"),
        QT_TR_NOOP("Standard deviations from no difference, if samples come at random; below 2 it may be chance")};
    switch (role) {
    case Qt::DisplayRole: return tr(names[section]);
    case Qt::ToolTipRole: return *tips[section] ? tr(tips[section]) : QString();
    case Qt::TextAlignmentRole: return int(Qt::AlignVCenter | (section == Function ? Qt::AlignLeft : Qt::AlignRight));
    case Qt::ForegroundRole: return theme().color(section == A ? "compare.a.text" : section == B ? "compare.b.text" : "text.secondary");
    default: return {};
    }
}

} // namespace helio
