#include "core/xml_analysis/file.h"
#include "core/xml_analysis/reading/definitions.h"
#include "core/xml_analysis/reading/grammar.h"
#include "core/xml_analysis/reading/program_reader.h"
#include "core/xml_analysis/reading/view_reader.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace helio::xml {
namespace {

/// Maximum number of analyses in a file, because each applicable analysis is run.
constexpr std::size_t MostAnalyses = 200;
/// If the grammar check finds this many faults, the elements are not read: the user has enough faults to repair first.
constexpr std::ptrdiff_t ManyFaults = 100;

void readPart(const Element& element, const ViewLocations& locations, File& file)
{
    if (element.name == "stateProvider") {
        file.programs.push_back(readStateProvider(element, file.problems));
    } else if (element.name == "pattern") {
        file.programs.push_back(readPattern(element, file.problems));
    } else if (element.name == "timeGraphView") {
        file.views.push_back(readRowsView(element, locations, file.problems));
    } else if (element.name == "xyView") {
        file.views.push_back(readCurvesView(element, locations, file.problems));
    } else if (element.name == "callstack") {
        file.callStacks.push_back(readCallStacks(element, file.problems));
        for (const Element& child : element.children)
            if (child.name != "callstackGroup" && child.name != "analysis")
                readPart(child, locations, file);
    }
}

void readParts(const Element& root, File& file)
{
    const ViewLocations locations(root);
    for (const Element& part : root.children)
        readPart(part, locations, file);
    if (file.programs.size() > MostAnalyses)
        file.problems.push_back({file.programs[MostAnalyses].place,
                                 {},
                                 "there are more than " + std::to_string(MostAnalyses) + " analyses in the file",
                                 false});
}

/// Checks that ids are unique and not empty. Ids of analyses and ids of views are separate.
void checkIds(File& file)
{
    std::set<std::string_view> seen;
    for (const Program& program : file.programs) {
        const char* element = program.isPattern ? "pattern" : "stateProvider";
        if (program.id.empty())
            file.problems.push_back({program.place, element, "its ID is empty", false});
        else if (!seen.insert(program.id).second)
            file.problems.push_back({program.place, element, "another one has the ID \"" + program.id + "\"", false});
    }
    seen.clear();
    for (const View& view : file.views) {
        const char* element = view.kind == View::Kind::Curves ? "xyView" : "timeGraphView";
        if (view.id.empty())
            file.problems.push_back({view.place, element, "its ID is empty", false});
        else if (!seen.insert(view.id).second)
            file.problems.push_back({view.place, element, "another view has the ID \"" + view.id + "\"", false});
    }
    for (const CallStacks& stacks : file.callStacks)
        if (stacks.id.empty())
            file.problems.push_back({stacks.place, "callstack", "its ID is empty", false});
        else if (!seen.insert(stacks.id).second)
            file.problems.push_back({stacks.place, "callstack", "another view has the ID \"" + stacks.id + "\"", false});
}

/// Warns about views of unknown analyses. Such an analysis may be in another file, but most often its id is mistyped.
void checkAnalysesOfViews(File& file)
{
    if (file.programs.empty()) // No warning for a file without analyses: its views are meant for analyses of other files.
        return;
    for (const View& view : file.views)
        for (const std::string& id : view.analyses)
            if (std::ranges::find(file.programs, id, &Program::id) == file.programs.end())
                file.problems.push_back({view.place, view.kind == View::Kind::Curves ? "xyView" : "timeGraphView",
                                         "no analysis in this file has the ID \"" + id + "\": the view is empty unless another file has it",
                                         true});
}

} // namespace

bool File::isUsable() const { return std::ranges::all_of(problems, &Problem::isWarning); }

File readFile(std::string_view text)
{
    File file;
    auto read = readXml(text, file.problems);
    if (const auto* fault = std::get_if<XmlFault>(&read)) {
        file.problems.push_back({fault->place, {}, fault->what, false});
        return file;
    }
    Element& root = std::get<Element>(read);
    if (!checkGrammar(root, file.problems))
        return file;
    const bool isAllRead = file.isUsable();
    const std::size_t ofGrammar = file.problems.size();
    if (!isAllRead)
        mend(root);
    if (std::ranges::count(file.problems, false, &Problem::isWarning) < ManyFaults)
        readParts(root, file);
    checkIds(file);
    if (isAllRead)
        checkAnalysesOfViews(file);
    else
        removeConsequentialProblems(file.problems, ofGrammar);
    std::ranges::stable_sort(file.problems, {}, [](const Problem& it) { return std::tuple(it.place.line, it.place.column); });
    return file;
}

std::string textOf(const Problem& problem, std::string_view file)
{
    std::string text(file);
    if (problem.place.line > 0)
        text += ":" + std::to_string(problem.place.line) + ":" + std::to_string(problem.place.column);
    if (!problem.element.empty())
        text += ": " + problem.element;
    return text + ": " + (problem.isWarning ? "warning: " : "") + problem.what;
}

} // namespace helio::xml
