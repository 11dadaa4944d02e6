#include "core/xml_analysis/reach/shown.h"

#include <algorithm>

namespace helio::xml {
namespace {

void addEntries(const std::vector<ViewEntry>& entries, const std::string& analysis, bool isOfAnalysis, const ShownPath& above,
                std::vector<ShownAttributes>& all)
{
    for (const ViewEntry& it : entries) {
        const bool isOwn = it.analysis.empty() ? isOfAnalysis : it.analysis == analysis;
        if (!isOwn)
            continue;
        const ShownPath base = it.analysis.empty() ? above : ShownPath();
        ShownAttributes shown{&it, base.plus(it.path.empty() ? std::vector<std::string>{"*"} : it.path), {}};
        if (it.display) {
            const ShownPath named = (it.display->isAbsolute ? ShownPath() : shown.path).plusNames(it.display->names);
            shown.display.push_back(it.display->query.empty() ? named : named.plus({"*"}));
        }
        const ShownPath path = shown.path;
        all.push_back(std::move(shown));
        addEntries(it.entries, analysis, true, path, all);
    }
}

} // namespace

std::vector<ShownAttributes> findShownAttributes(const View& view, const std::string& analysis)
{
    std::vector<ShownAttributes> all;
    addEntries(view.entries, analysis, std::ranges::find(view.analyses, analysis) != view.analyses.end(), {}, all);
    return all;
}

std::vector<ShownPath> shownStacks(const CallStacks& stacks)
{
    if (stacks.groups.empty() || stacks.groups.front().levels.empty())
        return {};
    ShownPath path;
    for (const auto& level : stacks.groups.front().levels)
        path = path.plus(level);
    return {path.plus({"CallStack", "*"})};
}

} // namespace helio::xml
