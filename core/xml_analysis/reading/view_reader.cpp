#include "core/xml_analysis/reading/view_reader.h"

#include "core/xml_analysis/reading/definitions.h"

#include <algorithm>

namespace helio::xml {
namespace {

// Limits for the size of a view; handwritten files stay far below them.
constexpr std::size_t MostAnalysesAsked = 16;
constexpr int MostLocationsInOneAnother = 16;
constexpr int MostLocationSteps = 100;

/// Splits a path "a/b" into its names; empty names are omitted.
std::vector<std::string> namesIn(std::string_view path)
{
    std::vector<std::string> names;
    while (!path.empty()) {
        const std::size_t end = std::min(path.find('/'), path.size());
        if (end > 0)
            names.emplace_back(path.substr(0, end));
        path.remove_prefix(std::min(end + 1, path.size()));
    }
    return names;
}

class ViewReader {
public:
    ViewReader(const Element& view, const ViewLocations& locations, std::vector<Problem>& problems)
        : m_locations(locations)
        , m_problems(problems)
        , m_definitions(view, problems)
    {
    }

    void readHead(const Element& element, View& view)
    {
        view.id = element.text("id");
        view.place = element.place;
        if (const Element* head = element.child("head")) {
            for (const Element& child : head->children)
                if (child.name == "analysis")
                    view.analyses.emplace_back(child.text("id"));
                else if (child.name == "label")
                    view.label = child.text("value");
        }
        if (view.analyses.empty())
            addWarning(m_problems, element, "it names no analysis, so it shows nothing: add an element analysis to head");
        m_analyses = view.analyses;
    }

    ViewEntry readEntry(const Element& element)
    {
        ViewEntry entry;
        entry.place = element.place;
        entry.path = namesIn(element.text("path"));
        entry.analysis = element.text("analysisId");
        entry.showsText = isTrue(element, "displayText");
        for (const Element& child : element.children)
            if (child.name == "display")
                entry.display = readAttribute(child);
            else if (child.name == "id")
                entry.id = readAttribute(child);
            else if (child.name == "parent")
                entry.parent = readAttribute(child);
            else if (child.name == "name")
                entry.name = readAttribute(child);
            else if (child.name == "entry")
                entry.entries.push_back(readEntry(child));
        return entry;
    }

private:
    /// Reads an attribute of an entry. Returns nullopt if the attribute depends on events and is unknown when the view is made; the entry
    /// is then used without this attribute.
    std::optional<ViewAttribute> readAttribute(const Element& element)
    {
        ViewAttribute attribute;
        const std::string_view type = element.text("type");
        attribute.isAbsolute = element.text("reference") == "absolute" && type != "self";
        if (type == "query")
            return readQuery(element, std::move(attribute));
        if (type == "constant")
            addConstant(element, attribute);
        if (type == "location" && !addLocation(element, attribute.names))
            return {};
        for (const Element& child : element.children) {
            const auto below = readAttribute(child);
            if (!below)
                return {};
            if (!attribute.query.empty()) {
                addWarning(m_problems, child, "queries in views cannot be resolved: ignored");
                return {};
            }
            attribute.query = below->query;
            attribute.names.insert(attribute.names.end(), below->names.begin(), below->names.end());
        }
        return attribute;
    }

    /// Reads a query. Its child elements are the path from the root of the attribute tree to an attribute. The value of this attribute is
    /// then used as a name in the view's path.
    std::optional<ViewAttribute> readQuery(const Element& element, ViewAttribute attribute)
    {
        for (const Element& child : element.children) {
            const auto step = readAttribute(child);
            if (!step)
                return {};
            if (!step->query.empty()) {
                addWarning(m_problems, child, "nested queries in views cannot be resolved: ignored");
                return {};
            }
            attribute.query.insert(attribute.query.end(), step->names.begin(), step->names.end());
        }
        if (attribute.query.empty()) {
            addWarning(m_problems, element, "a query needs the path of an attribute: ignored");
            return {};
        }
        return attribute;
    }

    /// Adds a constant as one name, whatever characters it contains. If the attribute is absolute, the text is split like the path of an
    /// entry.
    void addConstant(const Element& element, ViewAttribute& attribute) const
    {
        const std::string_view text = m_definitions.resolve(element.text("value"));
        if (attribute.isAbsolute)
            attribute.names = namesIn(text);
        else
            attribute.names.emplace_back(text);
    }

    bool addLocation(const Element& element, std::vector<std::string>& names)
    {
        std::string why;
        auto path = m_locations.path(m_analyses, element.text("value"), why);
        if (!path)
            addWarning(m_problems, element, why + ": ignored");
        else
            names = std::move(*path);
        return path.has_value();
    }

    const ViewLocations& m_locations;
    std::vector<std::string> m_analyses; ///< Ids of the analyses whose attribute trees the view shows.
    std::vector<Problem>& m_problems;
    const Definitions m_definitions;
};

std::string colorIn(const Element& element, std::vector<Problem>& problems)
{
    const std::string_view color = element.text("color");
    const bool isHex =
        color.size() == 7 && color[0] == '#' && color.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string_view::npos;
    if (!color.empty() && !isHex)
        addWarning(problems, element, "the color is \"" + std::string(color) + "\", not one like \"#4477aa\"");
    return isHex ? std::string(color) : std::string();
}

CallStackGroup readGroup(const Element& element, std::vector<Problem>& problems)
{
    CallStackGroup group;
    group.name = element.text("name");
    for (const Element& child : element.children) {
        if (child.name == "level")
            group.levels.push_back(namesIn(child.text("path")));
        if (child.name != "thread")
            continue;
        if (child.find("cpu"))
            addWarning(problems, child,
                       "the attribute \"cpu\" has no effect: threads are identified by the level whose name or value is "
                       "their ID (level, type)");
        group.isThreadByValue = child.text("type") == "value";
        if (child.find("level"))
            group.threadLevel = integerOf(child, "level");
    }
    return group;
}

} // namespace

ViewLocations::ViewLocations(const Element& file)
{
    for (const Element& part : file.children) {
        add(part);
        if (part.name == "callstack")
            std::ranges::for_each(part.children, [this](const Element& it) { add(it); });
    }
}

void ViewLocations::add(const Element& owner)
{
    if (owner.name != "stateProvider" && owner.name != "pattern")
        return;
    const std::string_view id = owner.text("id");
    for (const Element& child : owner.children)
        if (child.name == "location")
            m_locations.insert_or_assign(Key(id, child.text("id")), &child);
        else if (child.name == "definedValue")
            m_values.emplace(Key(id, child.text("name")), child.text("value"));
}

std::optional<std::vector<std::string>> ViewLocations::path(std::span<const std::string> analyses, std::string_view id,
                                                            std::string& why) const
{
    why = "no analysis of the view has a location " + inQuotes(id) + " in this file";
    for (const std::string& analysis : analyses.first(std::min(analyses.size(), MostAnalysesAsked))) {
        const auto found = m_locations.find({analysis, id});
        if (found == m_locations.end())
            continue;
        std::vector<std::string> names;
        int steps = 0;
        why = whyNot(analysis, *found->second, names, 0, steps);
        return why.empty() ? std::optional(std::move(names)) : std::nullopt;
    }
    return {};
}

std::string ViewLocations::whyNot(std::string_view analysis, const Element& location, std::vector<std::string>& names, int depth,
                                  int& steps) const
{
    const std::string which = "the location " + inQuotes(location.text("id"));
    for (const Element& step : location.children) {
        const std::string_view type = step.text("type");
        const std::string_view value = step.text("value");
        if (++steps > MostLocationSteps || depth > MostLocationsInOneAnother)
            return which + " is too long or contains itself";
        if (type == "location") {
            const auto found = m_locations.find({analysis, value});
            if (found == m_locations.end())
                return "there is no location " + inQuotes(value);
            if (std::string why = whyNot(analysis, *found->second, names, depth + 1, steps); !why.empty())
                return why;
        } else if (type != "constant") {
            return which + " differs from event to event";
        } else {
            const auto defined = value.starts_with('$') ? m_values.find({analysis, value.substr(1)}) : m_values.end();
            names.emplace_back(defined != m_values.end() ? defined->second : value);
        }
    }
    return {};
}

View readRowsView(const Element& element, const ViewLocations& locations, std::vector<Problem>& problems)
{
    View view;
    ViewReader reader(element, locations, problems);
    reader.readHead(element, view);
    for (const Element& child : element.children)
        if (child.name == "definedValue")
            view.values.push_back(
                {std::string(child.text("name")), std::string(child.text("value")), colorIn(child, problems), child.place});
        else if (child.name == "entry")
            view.entries.push_back(reader.readEntry(child));
    return view;
}

View readCurvesView(const Element& element, const ViewLocations& locations, std::vector<Problem>& problems)
{
    View view;
    view.kind = View::Kind::Curves;
    ViewReader reader(element, locations, problems);
    reader.readHead(element, view);
    const Element& entry = *element.child("entry");
    view.entries.push_back(reader.readEntry(entry));
    view.isDelta = entry.text("displayType") == "delta";
    return view;
}

CallStacks readCallStacks(const Element& element, std::vector<Problem>& problems)
{
    CallStacks stacks;
    stacks.id = element.text("id");
    stacks.place = element.place;
    for (const Element& child : element.children)
        if (child.name == "callstackGroup") {
            stacks.groups.push_back(readGroup(child, problems));
            if (stacks.groups.back().levels.empty())
                addWarning(problems, child, "it has no level, so it has no call stacks");
        } else if (child.name == "analysis") {
            stacks.analysis = child.text("id");
        } else if (stacks.analysis.empty()) {
            stacks.analysis = child.text("id");
        } else {
            addError(problems, child, "call stacks belong to exactly one analysis");
        }
    return stacks;
}

} // namespace helio::xml
