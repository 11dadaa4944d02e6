#include "core/findings/finder_views.h"

#include "core/findings/finder.h"

namespace helio {

std::vector<std::string> viewsOfFinders()
{
    std::vector<std::string> views;
    for (const Finder* const finder : builtinFinders())
        if (finder->view)
            views.emplace_back(finder->view);
    return views;
}

} // namespace helio
