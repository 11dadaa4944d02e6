#include "tests/bench/suite/figures.h"

#include <cstdio>
#include <fmt/format.h>

namespace helio::bench {

std::optional<double> Figure::ratio() const
{
    if (!theirs || *theirs <= 0 || value <= 0)
        return {};
    return isHigherBetter ? value / *theirs : *theirs / value;
}

std::optional<bool> Figure::isReached() const
{
    if (!goal || (goal->comparesRatio && !ratio()))
        return {};
    const double number = goal->comparesRatio ? *ratio() : value;
    return goal->isAtMost ? number <= goal->limit : number >= goal->limit;
}

void Figures::add(Figure figure)
{
    fmt::print(stderr, "   {}: {:.4g} {}\n", figure.what, figure.value, figure.unit);
    m_groups.back().figures.push_back(std::move(figure));
}

void Figures::note(std::string text)
{
    fmt::print(stderr, "   {}\n", text);
    m_notes.push_back(std::move(text));
}

const Figure* Figures::find(const std::string& id) const
{
    for (const Group& group : m_groups)
        for (const Figure& figure : group.figures)
            if (figure.id == id)
                return &figure;
    return nullptr;
}

} // namespace helio::bench
